-- Schema 4: the commit of git that an imported directory was at. Programs that know
-- schema 3 only read and write as before; what they publish has none.
ALTER TABLE revision ADD COLUMN source TEXT NOT NULL DEFAULT ''; -- hexadecimal, with +modified where the files were others; '' for none
ALTER TABLE revision ADD COLUMN source_checksum INTEGER NOT NULL DEFAULT 0; -- over number and source; 0 for none

UPDATE schema_version SET version = 4;
