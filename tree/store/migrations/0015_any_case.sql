CREATE INDEX ix_chat_files_of ON chat (files_of) WHERE files_of IS NOT NULL;
