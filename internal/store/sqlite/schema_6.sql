-- Schema 6: records have fields, and there is a kind of them, that programs which
-- know schema 5 only would refuse as damage. They say that a newer program wrote it
-- instead. No row changes.
UPDATE schema_version SET version = 6, min_reader = 6;
