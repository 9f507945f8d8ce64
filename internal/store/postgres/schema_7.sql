-- Schema 7: who publishes from where, and which values of those that rollbacks took
-- away were accepted again. Programs that know schema 6 read and write as before: what
-- they publish has no publisher and releases no value.
ALTER TABLE revision ADD COLUMN publisher text COLLATE "C" NOT NULL DEFAULT ''; -- such as serve web1:/srv/catalogue, '' for none
ALTER TABLE revision ADD COLUMN publisher_checksum bigint NOT NULL DEFAULT 0; -- over number and publisher; 0 for none

CREATE TABLE released (
    rollback bigint NOT NULL, -- number of its revision
    value    text COLLATE "C" NOT NULL, -- SHA-256 of record and value, hexadecimal
    checksum bigint NOT NULL,
    UNIQUE (rollback, value)
);

UPDATE schema_version SET version = 7;
