-- Schema 2: periodic tasks that several processes share.

CREATE TABLE task (
    name  text COLLATE "C" PRIMARY KEY, -- such as sync:defillama
    token bigint NOT NULL, -- grows whenever a process takes over the task
    state text COLLATE "C" NOT NULL -- JSON
);

UPDATE schema_version SET version = 2;
