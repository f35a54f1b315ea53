ALTER TABLE failure RENAME TO failure_before;

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
    agreed BOOLEAN NOT NULL,
    PRIMARY KEY (source_id, document_id)
);

INSERT INTO failure (source_id, document_id, title, kind, reason, since, tried_at, tries, again, read_at, agreed)
SELECT source_id, document_id, title, kind, reason, since, tried_at, tries, again, NULL, FALSE FROM failure_before;

DROP TABLE failure_before;
