-- Schema 1: revisions of two layers. Nothing is overwritten.

-- Version is the number of the schema. Programs that know at least schema min_reader can use it.
CREATE TABLE schema_version (
    id         integer PRIMARY KEY CHECK (id = 1), -- one row
    version    integer NOT NULL,
    min_reader integer NOT NULL
);

INSERT INTO schema_version (id, version, min_reader) VALUES (1, 1, 1);

-- A checksum covers its whole row, except pruned and content.
CREATE TABLE revision (
    number       bigint PRIMARY KEY CHECK (number >= 1),
    published_at bigint NOT NULL, -- milliseconds since 1970, UTC
    op           text COLLATE "C" NOT NULL,
    actor        text COLLATE "C" NOT NULL,
    message      text COLLATE "C" NOT NULL,
    digest       text COLLATE "C" NOT NULL, -- of the directory imported last, '' for none
    source       text COLLATE "C" NOT NULL, -- commit, hexadecimal, with +modified if the files differed from it; '' for none
    publisher    text COLLATE "C" NOT NULL, -- such as serve web1:/srv/catalogue, '' for none
    accepted     text COLLATE "C" NOT NULL, -- JSON list of accepted objections of the gate, '' for none
    content      bigint NOT NULL, -- 1 plus the checksums of all records of the revision
    pruned       integer NOT NULL, -- 1: kept only because a version or an observation refers to it
    checksum     bigint NOT NULL
);

-- A version of a record, valid from its revision on.
CREATE TABLE record (
    kind     text COLLATE "C" NOT NULL,
    key      text COLLATE "C" NOT NULL,
    revision bigint NOT NULL,
    position integer NOT NULL, -- of navigation groups, else 0
    body     text COLLATE "C", -- JSON; NULL from the revision on that removed the record
    origin   text COLLATE "C" NOT NULL, -- file:line, '' if unknown
    checksum bigint NOT NULL,
    UNIQUE (kind, key, revision)
);

CREATE INDEX record_revision ON record (revision);

CREATE TABLE observation (
    kind        text COLLATE "C" NOT NULL,
    key         text COLLATE "C" NOT NULL, -- folded
    figure      text COLLATE "C" NOT NULL,
    revision    bigint NOT NULL,
    seq         integer NOT NULL, -- order within the revision
    value       double precision NOT NULL,
    source      text COLLATE "C" NOT NULL,
    as_of       text COLLATE "C" NOT NULL, -- a date
    upstream_id text COLLATE "C" NOT NULL, -- '' for none
    checksum    bigint NOT NULL,
    UNIQUE (revision, seq)
);

CREATE INDEX observation_figure ON observation (kind, key, figure, as_of, revision, seq);

-- A value that a rollback removed and a later publish accepted again.
CREATE TABLE released (
    rollback bigint NOT NULL, -- number of its revision
    value    text COLLATE "C" NOT NULL, -- SHA-256 of record and value, hexadecimal
    checksum bigint NOT NULL,
    UNIQUE (rollback, value)
);

CREATE TABLE api_key (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name         text COLLATE "C" NOT NULL,
    hash         text COLLATE "C" NOT NULL, -- SHA-256, hexadecimal
    quota        text COLLATE "C" NOT NULL, -- such as 1000/m, '' for the default of the server
    created_by   text COLLATE "C" NOT NULL,
    created_at   bigint NOT NULL, -- milliseconds since 1970, UTC, like all times here
    expires_at   bigint, -- NULL for never
    ends_at      bigint, -- the earlier of expiry and revocation, NULL for none
    revoked_by   text COLLATE "C" NOT NULL, -- '' unless revoked
    last_used_at bigint -- NULL if unknown
);

CREATE UNIQUE INDEX api_key_valid ON api_key (name) WHERE ends_at IS NULL;
