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

CREATE UNIQUE INDEX ix_person_email ON person (email);

CREATE UNIQUE INDEX ix_person_subject ON person (subject);

CREATE TABLE person_group (
	id VARCHAR NOT NULL,
	name VARCHAR NOT NULL,
	PRIMARY KEY (id)
);

CREATE UNIQUE INDEX ix_person_group_name ON person_group (name);

CREATE TABLE membership (
	person_id VARCHAR NOT NULL,
	group_id VARCHAR NOT NULL,
	from_claims BOOLEAN NOT NULL,
	PRIMARY KEY (person_id, group_id)
);

CREATE INDEX ix_membership_group_id ON membership (group_id);

CREATE TABLE session (
	id VARCHAR NOT NULL,
	person_id VARCHAR NOT NULL,
	created_at FLOAT NOT NULL,
	seen_at FLOAT NOT NULL,
	address VARCHAR NOT NULL,
	agent VARCHAR NOT NULL,
	PRIMARY KEY (id)
);

CREATE INDEX ix_session_person_id ON session (person_id);

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

CREATE INDEX ix_api_token_person_id ON api_token (person_id);

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

CREATE INDEX ix_audit_at ON audit (at);

ALTER TABLE source ADD COLUMN audience JSON;

ALTER TABLE chat ADD COLUMN owner VARCHAR DEFAULT '' NOT NULL;

ALTER TABLE chat ADD COLUMN shared BOOLEAN DEFAULT 0 NOT NULL;

CREATE INDEX ix_chat_owner ON chat (owner, asked_at);
