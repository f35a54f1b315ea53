BEGIN TRANSACTION;
CREATE TABLE api_token (
	id VARCHAR NOT NULL,
	person_id VARCHAR NOT NULL,
	name VARCHAR NOT NULL,
	sources JSON,
	created_at FLOAT NOT NULL,
	used_at FLOAT,
	expires_at FLOAT,
	PRIMARY KEY (id)
);
INSERT INTO "api_token" VALUES('18f5ffa35e10d3cf7d96e1e235986f66ca35bc6228d90fdd2b3166badca02216','7a1605eee92b464297e1753ff32fa6d8','a program','null',1.79538034024805951121e+09,NULL,NULL);
CREATE TABLE audit (
	id INTEGER NOT NULL,
	at FLOAT NOT NULL,
	person_id VARCHAR NOT NULL,
	who VARCHAR NOT NULL,
	action VARCHAR NOT NULL,
	target VARCHAR NOT NULL,
	address VARCHAR NOT NULL,
	PRIMARY KEY (id)
);
INSERT INTO "audit" VALUES(1,1.79538034026905441286e+09,'655a2354dfba4d6e8b52517b44f99b21','Ada <ada@example.org>','person invited','ben@example.org','127.0.0.1');
CREATE TABLE chat (
    id VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    created_at FLOAT NOT NULL,
    asked_at FLOAT NOT NULL, owner VARCHAR DEFAULT '' NOT NULL, shared BOOLEAN DEFAULT 0 NOT NULL, pinned BOOLEAN DEFAULT 0 NOT NULL,
    PRIMARY KEY (id)
);
INSERT INTO "chat" VALUES('5399592d21284eb7a8af32db9994a3b5','What is green?',1795341559.82984,1795341559.82984,'655a2354dfba4d6e8b52517b44f99b21',0,0);
CREATE TABLE checkpoint (
    source_id VARCHAR NOT NULL,
    "key" VARCHAR NOT NULL,
    value VARCHAR NOT NULL,
    PRIMARY KEY (source_id, "key")
);
INSERT INTO "checkpoint" VALUES('3a3597ff','.','65024:2221989');
INSERT INTO "checkpoint" VALUES('3a3597ff','pump.md','~1795341558907427992:1795341558907427992:57:2220298:d61d34d5e2c6045c/1');
INSERT INTO "checkpoint" VALUES('3a3597ff','ops/crane.md','~1795341559702866872:1795341559702866872:61:2224274:83a8f53db5d3d92e/1');
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
INSERT INTO "document" VALUES(1,'3a3597ff','ops/crane.md',1,2,'The crane','markdown','','[["ops", "ops"]]','','3a3597ff/ops/crane.md','fb3ad9ea8c5d609416cc7d825c2eeec79ab7b562632afcb9615740066aa84677/1','{"size": "49", "modified": "2026-11-22T09:59:18+00:00"}','["crane.md", "crane"]','[]',0,'[["the-crane", "The crane", [], "8cdf6dbb59f00816bbe9f95c8931c507"]]');
INSERT INTO "document" VALUES(2,'3a3597ff','pump.md',1,NULL,'The pump','markdown','','[]','','3a3597ff/pump.md','d61d34d5e2c6045cb4e50c9f9fc22d56b2d3b79ae8a506f9239c4c0caa124c7c/1','{"size": "57", "modified": "2026-11-22T09:59:18+00:00"}','["pump.md", "pump"]','[]',0,'[["the-pump", "The pump", [], "6b5ec673385bd99fb3a841fd85bf3307"]]');
INSERT INTO "document" VALUES(3,'3a3597ff','ops/crane.md',2,NULL,'The crane','markdown','','[["ops", "ops"]]','','3a3597ff/ops/crane.md','83a8f53db5d3d92ec8200cdc76916e174d7962933fa39f9dfcc4e2338c6b84b8/1','{"size": "61", "modified": "2026-11-22T09:59:19+00:00"}','["crane.md", "crane"]','[]',0,'[["the-crane", "The crane", [], "0cf0aac47bd26a6d02f38f5602224bc7"]]');
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
    read_at FLOAT,
    approved BOOLEAN NOT NULL,
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
INSERT INTO "leaf" VALUES('8cdf6dbb59f00816bbe9f95c8931c507','Stop the crane before you climb it.','{"title": "The crane", "heading": ["The crane"], "pieces": [{"start": 0, "end": 35, "label": "", "page": null, "first_line": 3, "url": ""}], "units": [{"kind": "passage", "header": "The crane", "start": 0, "end": 35}]}');
INSERT INTO "leaf" VALUES('6b5ec673385bd99fb3a841fd85bf3307','The pump is green. It stands beside gate 49.','{"title": "The pump", "heading": ["The pump"], "pieces": [{"start": 0, "end": 44, "label": "", "page": null, "first_line": 3, "url": ""}], "units": [{"kind": "passage", "header": "The pump", "start": 0, "end": 44}]}');
INSERT INTO "leaf" VALUES('0cf0aac47bd26a6d02f38f5602224bc7','Stop the crane and lock it before you climb it.','{"title": "The crane", "heading": ["The crane"], "pieces": [{"start": 0, "end": 47, "label": "", "page": null, "first_line": 3, "url": ""}], "units": [{"kind": "passage", "header": "The crane", "start": 0, "end": 47}]}');
CREATE TABLE membership (
	person_id VARCHAR NOT NULL,
	group_id VARCHAR NOT NULL,
	from_claims BOOLEAN NOT NULL,
	PRIMARY KEY (person_id, group_id)
);
INSERT INTO "membership" VALUES('7a1605eee92b464297e1753ff32fa6d8','f25cd41fa51c',0);
CREATE TABLE migration (name VARCHAR NOT NULL PRIMARY KEY);
INSERT INTO "migration" VALUES('0001_first');
INSERT INTO "migration" VALUES('0002_kept_documents');
INSERT INTO "migration" VALUES('0003_approval');
INSERT INTO "migration" VALUES('0004_accounts');
INSERT INTO "migration" VALUES('0005_chat_actions');
INSERT INTO "migration" VALUES('0006_ordinals');
INSERT INTO "migration" VALUES('0007_session_end');
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
INSERT INTO "node" VALUES(1,'3a3597ff','3a3597ff/ops/crane.md',1,2,'3a3597ff/ops/','3a3597ff/ops/',0,'crane.md','crane.md','leaf','The crane','f2c4f1450b6b71f4707a5e7e4d79360f','1d875b50b9d2d9501177e3d6b4902bc3',1,0,'ops/crane.md','8cdf6dbb59f00816bbe9f95c8931c507',NULL);
INSERT INTO "node" VALUES(2,'3a3597ff','3a3597ff/ops/',1,2,'3a3597ff/','3a3597ff/',0,'ops/','ops','pass','ops','e5041fea08df86960efef78c1c25f1b3','1d875b50b9d2d9501177e3d6b4902bc3',1,0,NULL,NULL,'3a3597ff/ops/crane.md');
INSERT INTO "node" VALUES(3,'3a3597ff','3a3597ff/pump.md',1,NULL,'3a3597ff/','3a3597ff/',0,'pump.md','pump.md','leaf','The pump','b62532873dabc68d5b1c25b79dd40c13','9466bd19d761f3c1d98f3ae965adf1ed',1,0,'pump.md','6b5ec673385bd99fb3a841fd85bf3307',NULL);
INSERT INTO "node" VALUES(4,'3a3597ff','3a3597ff/',1,2,NULL,NULL,0,'','','root','Docs','c722b9476a1500ed89cfd0c95e7b16c7','434facbba2b8fa49d4e126b2a4b7f33d',2,1,NULL,NULL,NULL);
INSERT INTO "node" VALUES(5,'3a3597ff','3a3597ff/ops/crane.md',2,NULL,'3a3597ff/ops/','3a3597ff/ops/',0,'crane.md','crane.md','leaf','The crane','8d68b545e001b65f00b8eec080fb74dc','68d16560982b9b4630fb0ee64a020293',1,0,'ops/crane.md','0cf0aac47bd26a6d02f38f5602224bc7',NULL);
INSERT INTO "node" VALUES(6,'3a3597ff','3a3597ff/ops/',2,NULL,'3a3597ff/','3a3597ff/',0,'ops/','ops','pass','ops','89cef6f9c963867eb980e40fc3db6a80','68d16560982b9b4630fb0ee64a020293',1,0,NULL,NULL,'3a3597ff/ops/crane.md');
INSERT INTO "node" VALUES(7,'3a3597ff','3a3597ff/',2,NULL,NULL,NULL,0,'','','root','Docs','93c4fd52823d097d5590015306eaeca7','84da2a9e7f35840c9748989d46af2eaa',2,1,NULL,NULL,NULL);
CREATE TABLE one_time_link (
	id VARCHAR NOT NULL,
	purpose VARCHAR NOT NULL,
	person_id VARCHAR,
	email VARCHAR NOT NULL,
	name VARCHAR NOT NULL,
	is_admin BOOLEAN NOT NULL,
	groups JSON NOT NULL,
	created_at FLOAT NOT NULL,
	expires_at FLOAT NOT NULL,
	PRIMARY KEY (id)
);
CREATE TABLE person (
	id VARCHAR NOT NULL,
	email VARCHAR NOT NULL,
	name VARCHAR NOT NULL,
	password VARCHAR,
	subject VARCHAR,
	is_admin BOOLEAN NOT NULL,
	is_active BOOLEAN NOT NULL,
	created_at FLOAT NOT NULL,
	signed_in_at FLOAT,
	PRIMARY KEY (id)
);
INSERT INTO "person" VALUES('655a2354dfba4d6e8b52517b44f99b21','ada@example.org','Ada','$argon2id$v=19$m=65536,t=3,p=4$jqTM/f0XA7EhP1UVpkjYgQ$YrmcO+vf+Lg7DhjS9kDIG3uqPzsSIyuG4B3sNIPFUsM',NULL,1,1,1.79538033983283329009e+09,NULL);
INSERT INTO "person" VALUES('7a1605eee92b464297e1753ff32fa6d8','ben@example.org','Ben','$argon2id$v=19$m=65536,t=3,p=4$masSMCKWvQ2L7G83mxBTgg$igJ8Dy9w8kf2nXqOpjJEkDVu1ZRZ/+6tmD+V9Z0Jl/I',NULL,0,1,1.79538034022505021093e+09,NULL);
CREATE TABLE person_group (
	id VARCHAR NOT NULL,
	name VARCHAR NOT NULL,
	PRIMARY KEY (id)
);
INSERT INTO "person_group" VALUES('f25cd41fa51c','Crew');
CREATE TABLE reading (
    "key" VARCHAR NOT NULL,
    reader VARCHAR NOT NULL,
    by_model BOOLEAN NOT NULL,
    record VARCHAR NOT NULL,
    decision VARCHAR NOT NULL,
    made_at FLOAT NOT NULL,
    PRIMARY KEY ("key", reader)
);
INSERT INTO "reading" VALUES('ae5dc38c309be187859032ed9de4b66c','extractive 1',0,'9466bd19d761f3c1d98f3ae965adf1ed','read',1.79534155955965757369e+09);
INSERT INTO "reading" VALUES('4a6ebfca1d1899033ec09860db00dc95','extractive 1',0,'1d875b50b9d2d9501177e3d6b4902bc3','read',1.79534155955965757369e+09);
INSERT INTO "reading" VALUES('37944256891fe47e6a52e5589ddef5df','extractive 1',0,'434facbba2b8fa49d4e126b2a4b7f33d','summarize',1.79534155955965757369e+09);
INSERT INTO "reading" VALUES('343b9fa462ffd7aff53d6f6dc148f86f','extractive 1',0,'68d16560982b9b4630fb0ee64a020293','read',1.79534155976465821264e+09);
INSERT INTO "reading" VALUES('3669aed66d12c6aa2d0c4dea8525a715','extractive 1',0,'84da2a9e7f35840c9748989d46af2eaa','summarize',1.79534155976465821264e+09);
CREATE TABLE record (
    hash VARCHAR NOT NULL,
    data VARCHAR NOT NULL,
    units VARCHAR,
    PRIMARY KEY (hash)
);
INSERT INTO "record" VALUES('9466bd19d761f3c1d98f3ae965adf1ed','{"summary":"The pump is green. It stands beside gate 49.","quotes":[{"text":"The pump is green.","end":18},{"text":"It stands beside gate 49.","start":19,"end":44}],"content_types":["unclassified"],"about":["beside gate","green","pump","stands"]}',NULL);
INSERT INTO "record" VALUES('1d875b50b9d2d9501177e3d6b4902bc3','{"summary":"Stop the crane before you climb it.","quotes":[{"text":"Stop the crane before you climb it.","end":35}],"content_types":["unclassified"],"about":["Stop","climb","crane"]}',NULL);
INSERT INTO "record" VALUES('434facbba2b8fa49d4e126b2a4b7f33d','{"summary":"2 parts: ops; The pump. Stop the crane before you climb it. The pump is green.","quotes":[{"text":"Stop the crane before you climb it.","child":0},{"text":"The pump is green.","child":1}],"content_types":["unclassified"],"about":["Stop","beside gate","climb","green","crane","pump","stands"]}',NULL);
INSERT INTO "record" VALUES('68d16560982b9b4630fb0ee64a020293','{"summary":"Stop the crane and lock it before you climb it.","quotes":[{"text":"Stop the crane and lock it before you climb it.","end":47}],"content_types":["unclassified"],"about":["Stop","climb","crane","lock"]}',NULL);
INSERT INTO "record" VALUES('84da2a9e7f35840c9748989d46af2eaa','{"summary":"2 parts: ops; The pump. Stop the crane and lock it before you climb it. The pump is green.","quotes":[{"text":"Stop the crane and lock it before you climb it.","child":0},{"text":"The pump is green.","child":1}],"content_types":["unclassified"],"about":["Stop","beside gate","climb","green","crane","pump","lock","stands"]}',NULL);
CREATE TABLE session (
	id VARCHAR NOT NULL,
	person_id VARCHAR NOT NULL,
	created_at FLOAT NOT NULL,
	seen_at FLOAT NOT NULL,
	address VARCHAR NOT NULL,
	agent VARCHAR NOT NULL, ends_at FLOAT,
	PRIMARY KEY (id)
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
    heard_at FLOAT, audience JSON,
    PRIMARY KEY (id),
    UNIQUE (name)
);
INSERT INTO "source" VALUES('3a3597ff','Docs','folder','{"path": "/docs"}',NULL,1.79534155887272286414e+09,2,0,0,'ready','',NULL,2,2,NULL,1.79534155982010340687e+09,1.79534155976465821264e+09,NULL,'["f25cd41fa51c"]');
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
CREATE TABLE tombstone (
    source_id VARCHAR NOT NULL,
    document_id VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    fingerprint VARCHAR NOT NULL,
    verdict VARCHAR NOT NULL,
    since FLOAT NOT NULL,
    awaiting_approval BOOLEAN NOT NULL,
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
    finished_at FLOAT, previous JSON, rating INTEGER, reason VARCHAR DEFAULT '' NOT NULL,
    PRIMARY KEY (id),
    FOREIGN KEY(chat_id) REFERENCES chat (id)
);
INSERT INTO "turn" VALUES('5e8dd634ec8f406586edc4b5c1d1c40a','5399592d21284eb7a8af32db9994a3b5',1,'What is green?','','done','',2,'{"question": "What is green?", "answer": "The pump is green. [1]", "verdict": "complete", "citations": [{"number": 1, "source": "Docs", "source_id": "3a3597ff", "document_id": "pump.md", "title": "The pump", "path": [], "kind": "markdown", "facts": {"size": "57", "modified": "2026-11-22T09:59:18+00:00"}, "url": "", "place": "3a3597ff/pump.md", "leaf": "6b5ec673385bd99fb3a841fd85bf3307", "passages": [{"text": "The pump is green.", "start": 0, "end": 18, "locator": "line 3", "page": null, "line": 3, "url": ""}], "locator": "line 3", "quote": "The pump is green."}], "trail": [{"kind": "choose", "place": "3a3597ff/", "hash": "93c4fd52823d097d5590015306eaeca7", "title": "Docs", "path": ["Docs"], "options": [{"place": "3a3597ff/ops/crane.md", "title": "ops / The crane", "kind": "leaf", "summary": "Stop the crane and lock it before you climb it.", "scent": 0.0, "evidence": "", "content_types": ["unclassified"], "path": [], "why": ""}, {"place": "3a3597ff/pump.md", "title": "The pump", "kind": "leaf", "summary": "The pump is green. It stands beside gate 49.", "scent": 1.0, "evidence": "The pump is green.", "content_types": ["unclassified"], "path": [], "why": ""}], "chosen": ["3a3597ff/pump.md"], "reason": "Mentions green: \u201cThe pump is green.\u201d", "verdict": null, "node_kind": "root"}, {"kind": "read", "place": "3a3597ff/pump.md", "hash": "b62532873dabc68d5b1c25b79dd40c13", "title": "The pump", "path": ["Docs", "The pump"], "options": [], "chosen": [], "reason": "Speaks of green.", "verdict": "complete", "node_kind": "leaf"}], "version": 2, "as_of": "2026-11-22T09:59:19+00:00", "coverage": {"leaves_read": 1, "leaves_total": 2, "characters_read": 44, "unreadable": 0}, "usage": {"model_calls": 0, "input_tokens": 0, "output_tokens": 0, "cached_tokens": 0, "cost": null, "without_model": {}, "losses": {}, "model": "", "seconds": 0.0796}, "notes": [], "closest": [], "cut": false}','[]',1795341559.82984,1.79534155994234132774e+09,NULL,NULL,'');
CREATE TABLE version (
    number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    source_id VARCHAR NOT NULL,
    published_at FLOAT NOT NULL,
    upgrade BOOLEAN NOT NULL,
    added INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    titles JSON NOT NULL
, ordinal INTEGER DEFAULT 0 NOT NULL);
INSERT INTO "version" VALUES(1,'3a3597ff',1.79534155955965757369e+09,0,2,0,0,'["The crane", "The pump"]',1);
INSERT INTO "version" VALUES(2,'3a3597ff',1.79534155976465821264e+09,0,0,1,0,'["The crane"]',2);
CREATE INDEX claim_place ON claim (source_id, place);
CREATE INDEX document_began ON document (live_from);
CREATE INDEX document_ended ON document (live_to) WHERE live_to IS NOT NULL;
CREATE INDEX document_id ON document (source_id, document_id, live_from);
CREATE UNIQUE INDEX document_live ON document (source_id, document_id) WHERE live_to IS NULL;
CREATE INDEX document_place ON document (place, live_from);
CREATE INDEX document_problems ON document (source_id) WHERE live_to IS NULL AND CAST(problems AS VARCHAR) != '[]';
CREATE INDEX node_began ON node (live_from);
CREATE INDEX node_children ON node (parent, live_from);
CREATE INDEX node_document ON node (source_id, document_id);
CREATE INDEX node_ended ON node (live_to) WHERE live_to IS NOT NULL;
CREATE INDEX node_items ON node (source_id, container, level, position) WHERE live_to IS NULL;
CREATE UNIQUE INDEX node_live ON node (source_id, place) WHERE live_to IS NULL;
CREATE INDEX node_place ON node (place, live_from);
CREATE INDEX ix_reading_record ON reading (record);
CREATE INDEX spending_day ON spending (day);
CREATE INDEX ix_turn_chat_id ON turn (chat_id);
CREATE INDEX ix_version_source_id ON version (source_id);
CREATE UNIQUE INDEX ix_person_email ON person (email);
CREATE UNIQUE INDEX ix_person_subject ON person (subject);
CREATE UNIQUE INDEX ix_person_group_name ON person_group (name);
CREATE INDEX ix_membership_group_id ON membership (group_id);
CREATE INDEX ix_session_person_id ON session (person_id);
CREATE INDEX ix_api_token_person_id ON api_token (person_id);
CREATE INDEX ix_audit_at ON audit (at);
CREATE INDEX ix_chat_owner ON chat (owner, asked_at);
CREATE INDEX ix_turn_rating ON turn (rating, asked_at) WHERE rating IS NOT NULL;
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('version',2);
COMMIT;
