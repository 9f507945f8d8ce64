-- Schema 3: API keys that end by themselves, who made and revoked them, and when
-- they were used last. revoked_at is the moment from which a key is refused,
-- whatever for, and may lie ahead: a key that expires has it from the beginning,
-- so that programs of older schemas, which refuse all that have it, accept none
-- for too long.
ALTER TABLE api_key ADD COLUMN created_by TEXT NOT NULL DEFAULT '';
ALTER TABLE api_key ADD COLUMN revoked_by TEXT NOT NULL DEFAULT '';
ALTER TABLE api_key ADD COLUMN expires_at INTEGER;   -- milliseconds since 1970, UTC; NULL for never
ALTER TABLE api_key ADD COLUMN last_used_at INTEGER; -- likewise, NULL while it is not known

UPDATE schema_version SET version = 3;
