-- Schema 5: bodies are written as the directory has records. Programs that know
-- schema 4 only cannot read them, and say so. The statements change no body: the
-- program does, in the same transaction.
ALTER TABLE revision ADD COLUMN content INTEGER NOT NULL DEFAULT 0; -- 1 and the checksums of all records that it has, added up; 0 where not known

UPDATE schema_version SET version = 5, min_reader = 5;
