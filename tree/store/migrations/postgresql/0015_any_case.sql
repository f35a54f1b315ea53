CREATE INDEX ix_chat_files_of ON chat (files_of) WHERE files_of IS NOT NULL;

DO $step$
DECLARE letters TEXT := CASE WHEN EXISTS (SELECT FROM pg_collation WHERE collname = 'und-x-icu') THEN 'und-x-icu' ELSE 'default' END; BEGIN
    EXECUTE 'CREATE FUNCTION casefolded(said TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT upper(lower(said COLLATE '
        || quote_ident(letters) || ')) $$'; END
$step$;
