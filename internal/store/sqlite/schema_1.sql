-- Schema 1: revisions of two layers. Nothing is overwritten.

-- Version is the number of the schema. Programs that know at least schema min_reader can use it.
CREATE TABLE schema_version (
    id         INTEGER PRIMARY KEY CHECK (id = 1), -- one row
    version    INTEGER NOT NULL,
    min_reader INTEGER NOT NULL
) STRICT;

INSERT INTO schema_version (id, version, min_reader) VALUES (1, 1, 1);

-- A checksum covers its whole row, except pruned and content.
CREATE TABLE revision (
    number       INTEGER PRIMARY KEY CHECK (number >= 1),
    published_at INTEGER NOT NULL, -- milliseconds since 1970, UTC
    op           TEXT NOT NULL,
    actor        TEXT NOT NULL,
    message      TEXT NOT NULL,
    digest       TEXT NOT NULL, -- of the directory imported last, '' for none
    source       TEXT NOT NULL, -- commit, hexadecimal, with +modified if the files differed from it; '' for none
    publisher    TEXT NOT NULL, -- such as serve web1:/srv/catalogue, '' for none
    accepted     TEXT NOT NULL, -- JSON list of accepted objections of the gate, '' for none
    content      INTEGER NOT NULL, -- 1 plus the checksums of all records of the revision
    pruned       INTEGER NOT NULL, -- 1: kept only because a version or an observation refers to it
    checksum     INTEGER NOT NULL
) STRICT;

-- A version of a record, valid from its revision on.
CREATE TABLE record (
    kind     TEXT NOT NULL,
    key      TEXT NOT NULL,
    revision INTEGER NOT NULL,
    position INTEGER NOT NULL, -- of navigation groups, else 0
    body     TEXT, -- JSON; NULL from the revision on that removed the record
    origin   TEXT NOT NULL, -- file:line, '' if unknown
    checksum INTEGER NOT NULL,
    UNIQUE (kind, key, revision)
) STRICT;

CREATE INDEX record_revision ON record (revision);

CREATE TABLE observation (
    kind        TEXT NOT NULL,
    key         TEXT NOT NULL, -- folded
    figure      TEXT NOT NULL,
    revision    INTEGER NOT NULL,
    seq         INTEGER NOT NULL, -- order within the revision
    value       REAL NOT NULL,
    source      TEXT NOT NULL,
    as_of       TEXT NOT NULL, -- a date
    upstream_id TEXT NOT NULL, -- '' for none
    checksum    INTEGER NOT NULL,
    UNIQUE (revision, seq)
) STRICT;

CREATE INDEX observation_figure ON observation (kind, key, figure, as_of, revision, seq);

-- A value that a rollback removed and a later publish accepted again.
CREATE TABLE released (
    rollback INTEGER NOT NULL, -- number of its revision
    value    TEXT NOT NULL, -- SHA-256 of record and value, hexadecimal
    checksum INTEGER NOT NULL,
    UNIQUE (rollback, value)
) STRICT;

CREATE TABLE api_key (
    id         INTEGER PRIMARY KEY,
    name         TEXT NOT NULL,
    hash         TEXT NOT NULL, -- SHA-256, hexadecimal
    quota        TEXT NOT NULL, -- such as 1000/m, '' for the default of the server
    created_by   TEXT NOT NULL,
    created_at   INTEGER NOT NULL, -- milliseconds since 1970, UTC, like all times here
    expires_at   INTEGER, -- NULL for never
    ends_at      INTEGER, -- the earlier of expiry and revocation, NULL for none
    revoked_by   TEXT NOT NULL, -- '' unless revoked
    last_used_at INTEGER -- NULL if unknown
) STRICT;

CREATE UNIQUE INDEX api_key_valid ON api_key (name) WHERE ends_at IS NULL;
