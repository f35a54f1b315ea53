ALTER TABLE failure RENAME COLUMN agreed TO approved;

ALTER TABLE tombstone RENAME COLUMN undecided TO awaiting_approval;
