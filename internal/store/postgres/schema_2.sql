-- Schema 2: API keys with a limit of their own. Programs that know schema 1 only
-- read and write as before; a key that they add has none.
ALTER TABLE api_key ADD COLUMN quota text COLLATE "C" NOT NULL DEFAULT ''; -- '' for that of all keys

UPDATE schema_version SET version = 2;
