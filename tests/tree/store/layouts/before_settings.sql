BEGIN TRANSACTION;
CREATE TABLE chat (
    id VARCHAR NOT NULL,
    title VARCHAR NOT NULL,
    created_at FLOAT NOT NULL,
    asked_at FLOAT NOT NULL,
    PRIMARY KEY (id)
);
INSERT INTO "chat" VALUES('b3ab90fbd00c46359a4bc7487eba0fcc','What is green?',1.79534158360201907163e+09,1.79534158360201907163e+09);
CREATE TABLE checkpoint (
    source_id VARCHAR NOT NULL,
    "key" VARCHAR NOT NULL,
    value VARCHAR NOT NULL,
    PRIMARY KEY (source_id, "key")
);
INSERT INTO "checkpoint" VALUES('5028bb22','.','65024:2224721');
INSERT INTO "checkpoint" VALUES('5028bb22','pump.md','~1795341581510887042:1795341581510887042:57:2224726:d61d34d5e2c6045c/1');
INSERT INTO "checkpoint" VALUES('5028bb22','ops/crane.md','~1795341582882376757:1795341582882376757:61:2224728:83a8f53db5d3d92e/1');
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
INSERT INTO "document" VALUES(1,'5028bb22','ops/crane.md',1,2,'The crane','markdown','','[["ops", "ops"]]','','5028bb22/ops/crane.md','fb3ad9ea8c5d609416cc7d825c2eeec79ab7b562632afcb9615740066aa84677/1','{"size": "49", "modified": "2026-11-22T09:59:41+00:00"}','["crane.md", "crane"]','[]',0,'[["the-crane", "The crane", [], "8cdf6dbb59f00816bbe9f95c8931c507"]]');
INSERT INTO "document" VALUES(2,'5028bb22','pump.md',1,NULL,'The pump','markdown','','[]','','5028bb22/pump.md','d61d34d5e2c6045cb4e50c9f9fc22d56b2d3b79ae8a506f9239c4c0caa124c7c/1','{"size": "57", "modified": "2026-11-22T09:59:41+00:00"}','["pump.md", "pump"]','[]',0,'[["the-pump", "The pump", [], "6b5ec673385bd99fb3a841fd85bf3307"]]');
INSERT INTO "document" VALUES(3,'5028bb22','ops/crane.md',2,NULL,'The crane','markdown','','[["ops", "ops"]]','','5028bb22/ops/crane.md','83a8f53db5d3d92ec8200cdc76916e174d7962933fa39f9dfcc4e2338c6b84b8/1','{"size": "61", "modified": "2026-11-22T09:59:42+00:00"}','["crane.md", "crane"]','[]',0,'[["the-crane", "The crane", [], "0cf0aac47bd26a6d02f38f5602224bc7"]]');
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
INSERT INTO "leaf" VALUES('8cdf6dbb59f00816bbe9f95c8931c507','Stop the crane before you climb it.','{"title": "The crane", "heading": ["The crane"], "pieces": [{"start": 0, "end": 35, "label": "", "page": null, "first_line": 3, "url": ""}], "units": [{"kind": "passage", "header": "The crane", "start": 0, "end": 35}]}');
INSERT INTO "leaf" VALUES('6b5ec673385bd99fb3a841fd85bf3307','The pump is green. It stands beside gate 49.','{"title": "The pump", "heading": ["The pump"], "pieces": [{"start": 0, "end": 44, "label": "", "page": null, "first_line": 3, "url": ""}], "units": [{"kind": "passage", "header": "The pump", "start": 0, "end": 44}]}');
INSERT INTO "leaf" VALUES('0cf0aac47bd26a6d02f38f5602224bc7','Stop the crane and lock it before you climb it.','{"title": "The crane", "heading": ["The crane"], "pieces": [{"start": 0, "end": 47, "label": "", "page": null, "first_line": 3, "url": ""}], "units": [{"kind": "passage", "header": "The crane", "start": 0, "end": 47}]}');
CREATE TABLE migration (name VARCHAR NOT NULL PRIMARY KEY);
INSERT INTO "migration" VALUES('0001_first');
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
INSERT INTO "node" VALUES(1,'5028bb22','5028bb22/ops/crane.md',1,2,'5028bb22/ops/','5028bb22/ops/',0,'crane.md','crane.md','leaf','The crane','f2c4f1450b6b71f4707a5e7e4d79360f','1d875b50b9d2d9501177e3d6b4902bc3',1,0,'ops/crane.md','8cdf6dbb59f00816bbe9f95c8931c507',NULL);
INSERT INTO "node" VALUES(2,'5028bb22','5028bb22/ops/',1,2,'5028bb22/','5028bb22/',0,'ops/','ops','pass','ops','e5041fea08df86960efef78c1c25f1b3','1d875b50b9d2d9501177e3d6b4902bc3',1,0,NULL,NULL,'5028bb22/ops/crane.md');
INSERT INTO "node" VALUES(3,'5028bb22','5028bb22/pump.md',1,NULL,'5028bb22/','5028bb22/',0,'pump.md','pump.md','leaf','The pump','b62532873dabc68d5b1c25b79dd40c13','9466bd19d761f3c1d98f3ae965adf1ed',1,0,'pump.md','6b5ec673385bd99fb3a841fd85bf3307',NULL);
INSERT INTO "node" VALUES(4,'5028bb22','5028bb22/',1,2,NULL,NULL,0,'','','root','Docs','c722b9476a1500ed89cfd0c95e7b16c7','434facbba2b8fa49d4e126b2a4b7f33d',2,1,NULL,NULL,NULL);
INSERT INTO "node" VALUES(5,'5028bb22','5028bb22/ops/crane.md',2,NULL,'5028bb22/ops/','5028bb22/ops/',0,'crane.md','crane.md','leaf','The crane','8d68b545e001b65f00b8eec080fb74dc','68d16560982b9b4630fb0ee64a020293',1,0,'ops/crane.md','0cf0aac47bd26a6d02f38f5602224bc7',NULL);
INSERT INTO "node" VALUES(6,'5028bb22','5028bb22/ops/',2,NULL,'5028bb22/','5028bb22/',0,'ops/','ops','pass','ops','89cef6f9c963867eb980e40fc3db6a80','68d16560982b9b4630fb0ee64a020293',1,0,NULL,NULL,'5028bb22/ops/crane.md');
INSERT INTO "node" VALUES(7,'5028bb22','5028bb22/',2,NULL,NULL,NULL,0,'','','root','Docs','93c4fd52823d097d5590015306eaeca7','84da2a9e7f35840c9748989d46af2eaa',2,1,NULL,NULL,NULL);
CREATE TABLE reading (
    "key" VARCHAR NOT NULL,
    record VARCHAR NOT NULL,
    decision VARCHAR NOT NULL,
    reader VARCHAR NOT NULL,
    PRIMARY KEY ("key")
);
INSERT INTO "reading" VALUES('e35a56b73cdfa623de0c764c51ab5e35','9466bd19d761f3c1d98f3ae965adf1ed','read','extractive 1');
INSERT INTO "reading" VALUES('72e71b38f5097848664a9a1480d98468','1d875b50b9d2d9501177e3d6b4902bc3','read','extractive 1');
INSERT INTO "reading" VALUES('e16b0e7539ccdf6407009591c641fbe2','434facbba2b8fa49d4e126b2a4b7f33d','summarize','extractive 1');
INSERT INTO "reading" VALUES('8f3454417b14225aab535419b52665a0','68d16560982b9b4630fb0ee64a020293','read','extractive 1');
INSERT INTO "reading" VALUES('6280c8d1debba597f1e4c7137b5c78b0','84da2a9e7f35840c9748989d46af2eaa','summarize','extractive 1');
CREATE TABLE record (
    hash VARCHAR NOT NULL,
    data VARCHAR NOT NULL,
    PRIMARY KEY (hash)
);
INSERT INTO "record" VALUES('9466bd19d761f3c1d98f3ae965adf1ed','{"summary":"The pump is green. It stands beside gate 49.","quotes":[{"text":"The pump is green.","end":18},{"text":"It stands beside gate 49.","start":19,"end":44}],"content_types":["unclassified"],"about":["beside gate","green","pump","stands"]}');
INSERT INTO "record" VALUES('1d875b50b9d2d9501177e3d6b4902bc3','{"summary":"Stop the crane before you climb it.","quotes":[{"text":"Stop the crane before you climb it.","end":35}],"content_types":["unclassified"],"about":["Stop","climb","crane"]}');
INSERT INTO "record" VALUES('434facbba2b8fa49d4e126b2a4b7f33d','{"summary":"2 parts: ops; The pump. Stop the crane before you climb it. The pump is green.","quotes":[{"text":"Stop the crane before you climb it.","child":0},{"text":"The pump is green.","child":1}],"content_types":["unclassified"],"about":["Stop","beside gate","climb","green","crane","pump","stands"]}');
INSERT INTO "record" VALUES('68d16560982b9b4630fb0ee64a020293','{"summary":"Stop the crane and lock it before you climb it.","quotes":[{"text":"Stop the crane and lock it before you climb it.","end":47}],"content_types":["unclassified"],"about":["Stop","climb","crane","lock"]}');
INSERT INTO "record" VALUES('84da2a9e7f35840c9748989d46af2eaa','{"summary":"2 parts: ops; The pump. Stop the crane and lock it before you climb it. The pump is green.","quotes":[{"text":"Stop the crane and lock it before you climb it.","child":0},{"text":"The pump is green.","child":1}],"content_types":["unclassified"],"about":["Stop","beside gate","climb","green","crane","pump","lock","stands"]}');
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
INSERT INTO "source" VALUES('5028bb22','Docs','folder','{"path": "/docs"}',NULL,1.79534158146817708016e+09,2,0,0,'ready','',NULL,2,2,NULL,1.79534158359248948097e+09,1.79534158348971867565e+09,NULL);
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
INSERT INTO "turn" VALUES('9ad17a292a56489d9a91811350ce634d','b3ab90fbd00c46359a4bc7487eba0fcc',1,'What is green?','','done','',2,'{"question": "What is green?", "answer": "The pump is green. [1]", "verdict": "complete", "citations": [{"number": 1, "source": "Docs", "source_id": "5028bb22", "document_id": "pump.md", "title": "The pump", "path": [], "kind": "markdown", "facts": {"size": "57", "modified": "2026-11-22T09:59:41+00:00"}, "url": "", "place": "5028bb22/pump.md", "leaf": "6b5ec673385bd99fb3a841fd85bf3307", "passages": [{"text": "The pump is green.", "start": 0, "end": 18, "locator": "line 3", "page": null, "line": 3, "url": ""}], "locator": "line 3", "quote": "The pump is green."}], "trail": [{"kind": "choose", "place": "5028bb22/", "hash": "93c4fd52823d097d5590015306eaeca7", "title": "Docs", "path": ["Docs"], "options": [{"place": "5028bb22/ops/crane.md", "title": "ops / The crane", "kind": "leaf", "summary": "Stop the crane and lock it before you climb it.", "scent": 0.0, "evidence": "", "content_types": ["unclassified"]}, {"place": "5028bb22/pump.md", "title": "The pump", "kind": "leaf", "summary": "The pump is green. It stands beside gate 49.", "scent": 1.0, "evidence": "The pump is green.", "content_types": ["unclassified"]}], "chosen": ["5028bb22/pump.md"], "reason": "Mentions green: \u201cThe pump is green.\u201d", "verdict": null, "node_kind": "root"}, {"kind": "read", "place": "5028bb22/pump.md", "hash": "b62532873dabc68d5b1c25b79dd40c13", "title": "The pump", "path": ["Docs", "The pump"], "options": [], "chosen": [], "reason": "Speaks of green.", "verdict": "complete", "node_kind": "leaf"}], "version": 2, "as_of": "2026-11-22T09:59:43+00:00", "coverage": {"leaves_read": 1, "leaves_total": 2, "characters_read": 44, "unreadable": 0}, "usage": {"model_calls": 0, "input_tokens": 0, "output_tokens": 0, "seconds": 0.0868}, "notes": [], "closest": []}','[]',1.79534158360201907163e+09,1.79534158375622057918e+09);
CREATE TABLE version (
    number INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    source_id VARCHAR NOT NULL,
    published_at FLOAT NOT NULL,
    added INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    titles JSON NOT NULL
);
INSERT INTO "version" VALUES(1,'5028bb22',1.7953415827104375362e+09,2,0,0,'["The crane", "The pump"]');
INSERT INTO "version" VALUES(2,'5028bb22',1.79534158348971867565e+09,0,1,0,'["The crane"]');
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
CREATE INDEX ix_turn_chat_id ON turn (chat_id);
CREATE INDEX ix_version_source_id ON version (source_id);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('version',2);
COMMIT;
