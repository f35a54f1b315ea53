CREATE INDEX node_kind ON node (source_id, kind) WHERE live_to IS NULL;
