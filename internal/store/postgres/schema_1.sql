-- Schema 1: revisions of two layers, of which nothing is overwritten.

-- What the schema is, and what the oldest program must know that uses it.
CREATE TABLE schema_version (
    id         integer PRIMARY KEY CHECK (id = 1), -- there is one
    version    integer NOT NULL,
    min_reader integer NOT NULL
);

INSERT INTO schema_version (id, version, min_reader) VALUES (1, 1, 1);

-- Checksums are over all that a row holds, but for pruned.
CREATE TABLE revision (
    number       bigint PRIMARY KEY CHECK (number >= 1),
    published_at bigint NOT NULL, -- milliseconds since 1970, UTC
    op           text COLLATE "C" NOT NULL,
    actor        text COLLATE "C" NOT NULL,
    message      text COLLATE "C" NOT NULL,
    digest       text COLLATE "C" NOT NULL, -- of the directory imported last, '' for none
    pruned       integer NOT NULL, -- 1: kept only because a version or an observation is of it
    checksum     bigint NOT NULL
);

-- A version of a record: since its revision the record reads so.
CREATE TABLE record (
    kind     text COLLATE "C" NOT NULL,
    key      text COLLATE "C" NOT NULL,
    revision bigint NOT NULL,
    position integer NOT NULL, -- of nav groups, else 0
    body     text COLLATE "C", -- JSON; NULL since the revision in which the record was gone
    origin   text COLLATE "C" NOT NULL, -- file:line, '' when not known
    checksum bigint NOT NULL,
    UNIQUE (kind, key, revision)
);

CREATE INDEX record_revision ON record (revision);

CREATE TABLE observation (
    kind        text COLLATE "C" NOT NULL,
    key         text COLLATE "C" NOT NULL, -- folded
    figure      text COLLATE "C" NOT NULL,
    revision    bigint NOT NULL,
    seq         integer NOT NULL, -- the order within the revision
    value       double precision NOT NULL,
    source      text COLLATE "C" NOT NULL,
    as_of       text COLLATE "C" NOT NULL, -- a date
    upstream_id text COLLATE "C" NOT NULL, -- '' when there is none
    checksum    bigint NOT NULL,
    UNIQUE (revision, seq)
);

CREATE INDEX observation_figure ON observation (kind, key, figure, as_of, revision, seq);

CREATE TABLE api_key (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text COLLATE "C" NOT NULL,
    hash       text COLLATE "C" NOT NULL, -- SHA-256, hexadecimal
    created_at bigint NOT NULL, -- milliseconds since 1970, UTC
    revoked_at bigint -- likewise, NULL while the key is valid
);

CREATE UNIQUE INDEX api_key_valid ON api_key (name) WHERE revoked_at IS NULL;
