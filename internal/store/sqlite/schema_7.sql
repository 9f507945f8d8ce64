-- Schema 7: who publishes from where, and which values of those that rollbacks took
-- away were accepted again. Programs that know schema 6 read and write as before: what
-- they publish has no publisher and releases no value.
ALTER TABLE revision ADD COLUMN publisher TEXT NOT NULL DEFAULT ''; -- such as serve web1:/srv/catalogue, '' for none
ALTER TABLE revision ADD COLUMN publisher_checksum INTEGER NOT NULL DEFAULT 0; -- over number and publisher; 0 for none

CREATE TABLE released (
    rollback INTEGER NOT NULL, -- number of its revision
    value    TEXT    NOT NULL, -- SHA-256 of record and value, hexadecimal
    checksum INTEGER NOT NULL,
    UNIQUE (rollback, value)
) STRICT;

UPDATE schema_version SET version = 7;
