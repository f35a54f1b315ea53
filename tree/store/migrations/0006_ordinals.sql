ALTER TABLE version ADD COLUMN ordinal INTEGER DEFAULT 0 NOT NULL;

UPDATE version SET ordinal = (SELECT count(*) FROM version AS earlier WHERE earlier.source_id = version.source_id AND earlier.number <= version.number);
