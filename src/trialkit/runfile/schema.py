"""The tables of a run file, as numbered migrations: whoever opens an older file sees it brought up to date."""

import sqlite3

APPLICATION_ID = 0x7472_6961  # "tria": tells a run file from any other SQLite file

#: Of a call: whether there is something to pay for, as in CallRecord.
ANSWERED = "(reply IS NOT NULL OR input_tokens IS NOT NULL)"

_V1 = """
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
"""

# What the suite's exports were when they were written: any other content is somebody's own work.
_V2 = """
CREATE TABLE exports (
    hash TEXT PRIMARY KEY,
    at TEXT NOT NULL
) WITHOUT ROWID;
"""

# What a trial is worth and who decides it was told by names until then: `llm:MODEL@VERSION` was a model, tau's suites
# had a reward between 0 and 1, and a task that they skipped had the reason among its data.
_V3 = """
ALTER TABLE cases ADD COLUMN identity TEXT NOT NULL DEFAULT '';
ALTER TABLE cases ADD COLUMN skipped TEXT NOT NULL DEFAULT '';
UPDATE cases SET skipped = json_extract(data, '$.skipped'), data = json_remove(data, '$.skipped')
    WHERE (SELECT suite FROM run) LIKE 'tau%' AND iif(json_valid(data), json_type(data, '$.skipped'), '') = 'text';
ALTER TABLE verdicts ADD COLUMN scores TEXT NOT NULL DEFAULT '{}';
ALTER TABLE run ADD COLUMN measures TEXT NOT NULL DEFAULT '[{"name":"pass","kind":"pass","low":0.0,"high":1.0}]';
UPDATE run SET measures = json_insert(measures, '$[#]', json('{"name":"reward","low":0.0,"high":1.0}'))
    WHERE suite LIKE 'tau%' OR EXISTS (SELECT 1 FROM verdicts WHERE score IS NOT NULL);
ALTER TABLE run ADD COLUMN judges TEXT NOT NULL DEFAULT '[]';
UPDATE run SET judges = (
    SELECT json_group_array(json_object(
        'name', name, 'kind', kind, 'model', model, 'prompt', prompt,
        'prompt_hash', coalesce((SELECT hash FROM prompts WHERE role = 'judge' AND version = prompt), '')
    ))
    FROM (
        SELECT name, iif(name LIKE 'llm:%@%', 'model', name) AS kind,
            iif(name LIKE 'llm:%@%', substr(name, 5, length(name) - 5 - length(prompt)), '') AS model, prompt
        FROM (
            SELECT judge AS name,
                iif(judge LIKE 'llm:%@%', replace(judge, rtrim(judge, replace(judge, '@', '')), ''), '') AS prompt
            FROM verdicts GROUP BY judge ORDER BY max(decides) DESC, min(id)
        )
    )
);
"""

MIGRATIONS = (_V1, _V2, _V3)


def version_of(db: sqlite3.Connection) -> int | None:
    """The file's schema version; None: it is not a run file."""
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        return None
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def migrate(db: sqlite3.Connection, version: int) -> None:
    for number, script in enumerate(MIGRATIONS[version:], start=version + 1):
        try:
            db.executescript(f"BEGIN IMMEDIATE; {script} PRAGMA user_version = {number}; COMMIT;")
        except sqlite3.Error:
            if db.in_transaction:
                db.execute("ROLLBACK")
            if (version_of(db) or 0) < number:  # else another process has done it meanwhile
                raise
