CREATE TABLE run (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    suite TEXT NOT NULL,
    subject TEXT NOT NULL,
    created TEXT NOT NULL,
    settings TEXT NOT NULL,
    versions TEXT NOT NULL,
    state TEXT NOT NULL,
    reason TEXT NOT NULL DEFAULT ''
);
CREATE TABLE prompts (
    role TEXT PRIMARY KEY,
    version TEXT NOT NULL,
    hash TEXT NOT NULL,
    text TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE models (
    role TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    key TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE cases (
    id TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    title TEXT NOT NULL,
    grp TEXT NOT NULL,
    data TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE trials (
    id INTEGER PRIMARY KEY,
    case_id TEXT NOT NULL REFERENCES cases (id),
    number INTEGER NOT NULL,
    started TEXT,
    ended TEXT,
    elapsed_s REAL,
    given INTEGER NOT NULL,
    output TEXT,
    error_kind TEXT,
    error TEXT,
    UNIQUE (case_id, number)
);
CREATE TABLE events (
    trial_id INTEGER NOT NULL REFERENCES trials (id),
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (trial_id, seq)
) WITHOUT ROWID;
CREATE TABLE calls (
    id INTEGER PRIMARY KEY,
    trial_id INTEGER NOT NULL REFERENCES trials (id),
    phase TEXT NOT NULL,
    role TEXT NOT NULL,
    model TEXT NOT NULL,
    request_key TEXT NOT NULL,
    nth INTEGER NOT NULL,
    source TEXT NOT NULL,
    reply TEXT,
    error_kind TEXT,
    error TEXT,
    attempts INTEGER NOT NULL,
    input_tokens INTEGER,
    output_tokens INTEGER,
    cost REAL,
    latency_s REAL NOT NULL,
    void INTEGER NOT NULL,
    at TEXT NOT NULL
);
CREATE INDEX calls_by_trial ON calls (trial_id);
CREATE TABLE verdicts (
    id INTEGER PRIMARY KEY,
    trial_id INTEGER NOT NULL REFERENCES trials (id),
    judge TEXT NOT NULL,
    decides INTEGER NOT NULL,
    outcome TEXT NOT NULL,
    critique TEXT NOT NULL,
    findings TEXT NOT NULL,
    score REAL,
    details TEXT NOT NULL,
    at TEXT NOT NULL
);
CREATE INDEX verdicts_by_trial ON verdicts (trial_id);
CREATE TABLE labels (
    trial_id INTEGER NOT NULL REFERENCES trials (id),
    annotator TEXT NOT NULL,
    outcome TEXT NOT NULL,
    critique TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (trial_id, annotator)
) WITHOUT ROWID;
CREATE TABLE remarks (
    id INTEGER PRIMARY KEY,
    trial_id INTEGER NOT NULL REFERENCES trials (id),
    kind TEXT NOT NULL,
    author TEXT NOT NULL,
    data TEXT NOT NULL,
    at TEXT NOT NULL
);
CREATE INDEX remarks_by_trial ON remarks (trial_id);
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    started TEXT NOT NULL,
    elapsed_s REAL NOT NULL DEFAULT 0
);
