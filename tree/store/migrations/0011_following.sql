CREATE TABLE follow (
	id VARCHAR NOT NULL,
	person_id VARCHAR NOT NULL,
	kind VARCHAR NOT NULL,
	target VARCHAR NOT NULL,
	title VARCHAR NOT NULL,
	created_at FLOAT NOT NULL,
	seen_at FLOAT NOT NULL,
	PRIMARY KEY (id)
);

CREATE UNIQUE INDEX follow_of ON follow (person_id, kind, target);

CREATE TABLE digest (
	person_id VARCHAR NOT NULL,
	every VARCHAR NOT NULL,
	token VARCHAR NOT NULL,
	sent_until FLOAT NOT NULL,
	due_at FLOAT NOT NULL,
	tries INTEGER NOT NULL,
	error VARCHAR NOT NULL,
	PRIMARY KEY (person_id)
);

CREATE UNIQUE INDEX ix_digest_token ON digest (token);

CREATE INDEX ix_digest_due_at ON digest (due_at);
