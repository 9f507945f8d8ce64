-- Schema 2: periodic tasks that several processes share.

CREATE TABLE task (
    name  TEXT PRIMARY KEY, -- such as sync:defillama
    token INTEGER NOT NULL, -- grows whenever a process takes over the task
    state TEXT NOT NULL -- JSON
) STRICT;

UPDATE schema_version SET version = 2;
