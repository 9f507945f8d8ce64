-- Version 1 of a Vitrine database: one revision and its records.

CREATE TABLE head (
    id           INTEGER PRIMARY KEY CHECK (id = 1), -- there is one head
    number       INTEGER NOT NULL CHECK (number >= 1),
    published_at INTEGER NOT NULL,                   -- milliseconds since 1970, UTC
    digest       TEXT    NOT NULL,                   -- of the directory imported last, '' for none
    message      TEXT    NOT NULL
) STRICT;

-- The records of the head's revision. A row says which revision wrote it, so
-- that a later version of this schema can keep what it replaced.
CREATE TABLE record (
    kind     TEXT    NOT NULL,
    key      TEXT    NOT NULL,
    position INTEGER NOT NULL CHECK (position >= 0),
    revision INTEGER NOT NULL CHECK (revision >= 1),
    body     TEXT    NOT NULL,
    PRIMARY KEY (kind, key)
) STRICT;

CREATE UNIQUE INDEX record_position ON record (kind, position);
