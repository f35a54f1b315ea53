"""The JSON in which a site shows its records: REST bodies, webhook bodies, ADF and wiki markup."""
