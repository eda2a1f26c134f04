-- What the suite's exports were when they were written: any other content is somebody's own work.
CREATE TABLE exports (
    hash TEXT PRIMARY KEY,
    at TEXT NOT NULL
) WITHOUT ROWID;
