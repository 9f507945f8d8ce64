-- Schema 1: revisions of two layers, of which nothing is overwritten.

-- What the schema is, and what the oldest program must know that uses it.
CREATE TABLE schema_version (
    id         INTEGER PRIMARY KEY CHECK (id = 1), -- there is one
    version    INTEGER NOT NULL,
    min_reader INTEGER NOT NULL
) STRICT;

INSERT INTO schema_version (id, version, min_reader) VALUES (1, 1, 1);

-- Checksums are over all that a row holds, but for pruned.
CREATE TABLE revision (
    number       INTEGER PRIMARY KEY CHECK (number >= 1),
    published_at INTEGER NOT NULL, -- milliseconds since 1970, UTC
    op           TEXT    NOT NULL,
    actor        TEXT    NOT NULL,
    message      TEXT    NOT NULL,
    digest       TEXT    NOT NULL, -- of the directory imported last, '' for none
    pruned       INTEGER NOT NULL, -- 1: kept only because a version or an observation is of it
    checksum     INTEGER NOT NULL
) STRICT;

-- A version of a record: since its revision the record reads so.
CREATE TABLE record (
    kind     TEXT    NOT NULL,
    key      TEXT    NOT NULL,
    revision INTEGER NOT NULL,
    position INTEGER NOT NULL, -- of nav groups, else 0
    body     TEXT,             -- JSON; NULL since the revision in which the record was gone
    origin   TEXT    NOT NULL, -- file:line, '' when not known
    checksum INTEGER NOT NULL,
    UNIQUE (kind, key, revision)
) STRICT;

CREATE INDEX record_revision ON record (revision);

CREATE TABLE observation (
    kind        TEXT    NOT NULL,
    key         TEXT    NOT NULL, -- folded
    figure      TEXT    NOT NULL,
    revision    INTEGER NOT NULL,
    seq         INTEGER NOT NULL, -- the order within the revision
    value       REAL    NOT NULL,
    source      TEXT    NOT NULL,
    as_of       TEXT    NOT NULL, -- a date
    upstream_id TEXT    NOT NULL, -- '' when there is none
    checksum    INTEGER NOT NULL,
    UNIQUE (revision, seq)
) STRICT;

CREATE INDEX observation_figure ON observation (kind, key, figure, as_of, revision, seq);

CREATE TABLE api_key (
    id         INTEGER PRIMARY KEY,
    name       TEXT    NOT NULL,
    hash       TEXT    NOT NULL, -- SHA-256, hexadecimal
    created_at INTEGER NOT NULL, -- milliseconds since 1970, UTC
    revoked_at INTEGER           -- likewise, NULL while the key is valid
) STRICT;

CREATE UNIQUE INDEX api_key_valid ON api_key (name) WHERE revoked_at IS NULL;
