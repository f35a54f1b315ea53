ALTER TABLE source ADD COLUMN first_read_at FLOAT;
