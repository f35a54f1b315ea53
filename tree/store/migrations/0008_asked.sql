CREATE TABLE asked (
	turn_id VARCHAR NOT NULL,
	asked_at FLOAT NOT NULL,
	owner VARCHAR NOT NULL,
	verdict VARCHAR NOT NULL,
	topic VARCHAR,
	PRIMARY KEY (turn_id),
	FOREIGN KEY(turn_id) REFERENCES turn (id) ON DELETE CASCADE
);

CREATE INDEX asked_when ON asked (asked_at, verdict);

CREATE INDEX asked_topic ON asked (topic, asked_at, verdict, owner);

CREATE TABLE asked_of (
	turn_id VARCHAR NOT NULL,
	source_id VARCHAR NOT NULL,
	asked_at FLOAT NOT NULL,
	verdict VARCHAR NOT NULL,
	PRIMARY KEY (turn_id, source_id),
	FOREIGN KEY(turn_id) REFERENCES asked (turn_id) ON DELETE CASCADE
);

CREATE INDEX asked_of_source ON asked_of (source_id, asked_at, verdict);

INSERT INTO asked SELECT turn.id, turn.asked_at, chat.owner, json_extract(turn.answer, '$.verdict'), NULL FROM turn JOIN chat ON chat.id = turn.chat_id WHERE json_extract(turn.answer, '$.verdict') IS NOT NULL;

INSERT OR IGNORE INTO asked_of SELECT asked.turn_id, of.value, asked.asked_at, asked.verdict FROM asked JOIN turn ON turn.id = asked.turn_id, json_each(CASE WHEN json_array_length(turn.answer, '$.rests_on') > 0 THEN json_extract(turn.answer, '$.rests_on') ELSE coalesce(json_extract(turn.answer, '$.sources'), '[]') END) AS of;
