CREATE TABLE chat (
    id VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    created_at FLOAT NOT NULL,
    asked_at FLOAT NOT NULL,
    PRIMARY KEY (id)
);

CREATE TABLE checkpoint (
    source_id VARCHAR NOT NULL,
    "key" VARCHAR NOT NULL,
    value VARCHAR NOT NULL,
    PRIMARY KEY (source_id, "key")
);

CREATE TABLE claim (
    "key" VARCHAR NOT NULL,
    reader VARCHAR NOT NULL,
    source_id VARCHAR NOT NULL,
    place VARCHAR NOT NULL,
    hash VARCHAR NOT NULL,
    record VARCHAR NOT NULL,
    owner VARCHAR NOT NULL,
    until FLOAT NOT NULL,
    reason VARCHAR NOT NULL,
    tries INTEGER NOT NULL,
    PRIMARY KEY ("key", reader, source_id, place)
);

CREATE INDEX claim_place ON claim (source_id, place);

CREATE TABLE document (
    id INTEGER NOT NULL,
    source_id VARCHAR NOT NULL,
    document_id VARCHAR NOT NULL,
    live_from INTEGER NOT NULL,
    live_to INTEGER,
    title VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    url VARCHAR NOT NULL,
    path JSON NOT NULL,
    "order" VARCHAR NOT NULL,
    place VARCHAR NOT NULL,
    fingerprint VARCHAR NOT NULL,
    meta JSON NOT NULL,
    aliases JSON NOT NULL,
    problems JSON NOT NULL,
    heads BOOLEAN NOT NULL,
    outline JSON NOT NULL,
    PRIMARY KEY (id)
);

CREATE INDEX document_began ON document (live_from);

CREATE INDEX document_ended ON document (live_to) WHERE live_to IS NOT NULL;

CREATE INDEX document_id ON document (source_id, document_id, live_from);

CREATE UNIQUE INDEX document_live ON document (source_id, document_id) WHERE live_to IS NULL;

CREATE INDEX document_place ON document (place, live_from);

CREATE INDEX document_problems ON document (source_id) WHERE live_to IS NULL AND CAST(problems AS VARCHAR) != '[]';

CREATE TABLE failure (
    source_id VARCHAR NOT NULL,
    document_id VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    reason VARCHAR NOT NULL,
    since FLOAT NOT NULL,
    tried_at FLOAT NOT NULL,
    tries INTEGER NOT NULL,
    again BOOLEAN NOT NULL,
    PRIMARY KEY (source_id, document_id)
);

CREATE TABLE hint (
    source_id VARCHAR NOT NULL,
    document_id VARCHAR NOT NULL,
    at FLOAT NOT NULL,
    PRIMARY KEY (source_id, document_id)
);

CREATE TABLE leaf (
    "key" VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    data JSON NOT NULL,
    PRIMARY KEY ("key")
);

CREATE TABLE node (
    id INTEGER NOT NULL,
    source_id VARCHAR NOT NULL,
    place VARCHAR NOT NULL,
    live_from INTEGER NOT NULL,
    live_to INTEGER,
    parent VARCHAR,
    container VARCHAR,
    level INTEGER NOT NULL,
    slot VARCHAR NOT NULL,
    position VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    hash VARCHAR NOT NULL,
    record VARCHAR NOT NULL,
    leaves INTEGER NOT NULL,
    height INTEGER NOT NULL,
    document_id VARCHAR,
    leaf VARCHAR,
    target VARCHAR,
    PRIMARY KEY (id)
);

CREATE INDEX node_began ON node (live_from);

CREATE INDEX node_children ON node (parent, live_from);

CREATE INDEX node_document ON node (source_id, document_id);

CREATE INDEX node_ended ON node (live_to) WHERE live_to IS NOT NULL;

CREATE INDEX node_items ON node (source_id, container, level, position) WHERE live_to IS NULL;

CREATE UNIQUE INDEX node_live ON node (source_id, place) WHERE live_to IS NULL;

CREATE INDEX node_place ON node (place, live_from);

CREATE TABLE reading (
    "key" VARCHAR NOT NULL,
    reader VARCHAR NOT NULL,
    by_model BOOLEAN NOT NULL,
    record VARCHAR NOT NULL,
    decision VARCHAR NOT NULL,
    made_at FLOAT NOT NULL,
    PRIMARY KEY ("key", reader)
);

CREATE INDEX ix_reading_record ON reading (record);

CREATE TABLE record (
    hash VARCHAR NOT NULL,
    data VARCHAR NOT NULL,
    units VARCHAR,
    PRIMARY KEY (hash)
);

CREATE TABLE setting (
    name VARCHAR NOT NULL,
    value JSON NOT NULL,
    secret BLOB,
    changed_at FLOAT NOT NULL,
    PRIMARY KEY (name)
);

CREATE TABLE source (
    id VARCHAR NOT NULL,
    name VARCHAR NOT NULL,
    kind VARCHAR NOT NULL,
    config JSON NOT NULL,
    secret BLOB,
    created_at FLOAT NOT NULL,
    published INTEGER NOT NULL,
    paused BOOLEAN NOT NULL,
    removing BOOLEAN NOT NULL,
    state VARCHAR NOT NULL,
    message VARCHAR NOT NULL,
    wait_until FLOAT,
    done INTEGER NOT NULL,
    total INTEGER,
    requested_at FLOAT,
    synced_at FLOAT,
    changed_at FLOAT,
    heard_at FLOAT,
    PRIMARY KEY (id),
    UNIQUE (name)
);

CREATE TABLE spending (
    id INTEGER NOT NULL,
    day VARCHAR NOT NULL,
    at FLOAT NOT NULL,
    purpose VARCHAR NOT NULL,
    source_id VARCHAR NOT NULL,
    model VARCHAR NOT NULL,
    errands INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    cost FLOAT,
    hits INTEGER NOT NULL,
    without_model INTEGER NOT NULL,
    seconds FLOAT NOT NULL,
    PRIMARY KEY (id)
);

CREATE INDEX spending_day ON spending (day);

CREATE TABLE tombstone (
    source_id VARCHAR NOT NULL,
    document_id VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    fingerprint VARCHAR NOT NULL,
    verdict VARCHAR NOT NULL,
    since FLOAT NOT NULL,
    undecided BOOLEAN NOT NULL,
    PRIMARY KEY (source_id, document_id)
);

CREATE TABLE turn (
    id VARCHAR NOT NULL,
    chat_id VARCHAR NOT NULL,
    number INTEGER NOT NULL,
    question VARCHAR NOT NULL,
    scope VARCHAR NOT NULL,
    state VARCHAR NOT NULL,
    message VARCHAR NOT NULL,
    version INTEGER NOT NULL,
    answer JSON,
    steps JSON NOT NULL,
    asked_at FLOAT NOT NULL,
    finished_at FLOAT,
    PRIMARY KEY (id),
    FOREIGN KEY(chat_id) REFERENCES chat (id)
);

CREATE INDEX ix_turn_chat_id ON turn (chat_id);

CREATE TABLE version (
    number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    source_id VARCHAR NOT NULL,
    published_at FLOAT NOT NULL,
    upgrade BOOLEAN NOT NULL,
    added INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    titles JSON NOT NULL
);

CREATE INDEX ix_version_source_id ON version (source_id);
