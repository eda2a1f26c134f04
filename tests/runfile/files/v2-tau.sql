PRAGMA application_id = 1953655137;
PRAGMA user_version = 2;
BEGIN TRANSACTION;
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
INSERT INTO "calls" VALUES(1,1,'attempt','user','openai/u','r',0,'live','{"text":"Hello","tool_calls":[],"stop":"end","usage":{"input_tokens":5,"output_tokens":2,"cache_read_tokens":0,"cache_write_tokens":0},"cost":0.01,"model":""}',NULL,NULL,1,5,2,0.01,0.25,0,'2026-11-18T22:25:48.802+00:00');
INSERT INTO "calls" VALUES(2,2,'attempt','user','openai/u','r',0,'live','{"text":"Hello","tool_calls":[],"stop":"end","usage":{"input_tokens":5,"output_tokens":2,"cache_read_tokens":0,"cache_write_tokens":0},"cost":0.01,"model":""}',NULL,NULL,1,5,2,0.01,0.25,0,'2026-11-18T22:25:48.802+00:00');
INSERT INTO "calls" VALUES(3,3,'attempt','user','openai/u','r',0,'live','{"text":"Hello","tool_calls":[],"stop":"end","usage":{"input_tokens":5,"output_tokens":2,"cache_read_tokens":0,"cache_write_tokens":0},"cost":0.01,"model":""}',NULL,NULL,1,5,2,0.01,0.25,0,'2026-11-18T22:25:48.802+00:00');
CREATE TABLE cases (
    id TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    title TEXT NOT NULL,
    grp TEXT NOT NULL,
    data TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO "cases" VALUES('0',0,'Task 0','base','{"split":"base","id":"0","user_id":null,"instruction":"Ask for 0.","actions":[],"outputs":[]}');
INSERT INTO "cases" VALUES('1',1,'Task 1','base','{"split":"base","id":"1","user_id":null,"instruction":"Ask for 1.","actions":[],"outputs":[]}');
INSERT INTO "cases" VALUES('2',2,'Task 2','base','{"split":"base","id":"2","user_id":null,"instruction":"Ask for 2.","actions":[],"outputs":[],"skipped":"the agent cannot “transfer”"}');
CREATE TABLE events (
    trial_id INTEGER NOT NULL REFERENCES trials (id),
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (trial_id, seq)
) WITHOUT ROWID;
INSERT INTO "events" VALUES(1,0,'message','{"role":"user","text":"Hello"}');
INSERT INTO "events" VALUES(1,1,'reply','{"role":"user","request_key":"r","nth":0}');
INSERT INTO "events" VALUES(2,0,'message','{"role":"user","text":"Hello"}');
INSERT INTO "events" VALUES(2,1,'reply','{"role":"user","request_key":"r","nth":0}');
INSERT INTO "events" VALUES(3,0,'message','{"role":"user","text":"Hello"}');
INSERT INTO "events" VALUES(3,1,'reply','{"role":"user","request_key":"r","nth":0}');
CREATE TABLE exports (
    hash TEXT PRIMARY KEY,
    at TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE labels (
    trial_id INTEGER NOT NULL REFERENCES trials (id),
    annotator TEXT NOT NULL,
    outcome TEXT NOT NULL,
    critique TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (trial_id, annotator)
) WITHOUT ROWID;
CREATE TABLE models (
    role TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    key TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO "models" VALUES('user','openai/u','http://127.0.0.1:9/v1','k');
CREATE TABLE prompts (
    role TEXT PRIMARY KEY,
    version TEXT NOT NULL,
    hash TEXT NOT NULL,
    text TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO "prompts" VALUES('user','tau2-v1','ab','Play.');
CREATE TABLE remarks (
    id INTEGER PRIMARY KEY,
    trial_id INTEGER NOT NULL REFERENCES trials (id),
    kind TEXT NOT NULL,
    author TEXT NOT NULL,
    data TEXT NOT NULL,
    at TEXT NOT NULL
);
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
INSERT INTO "run" VALUES(1,'tau2/retail','my-agent','2026-11-18T22:25:48.797+00:00','{"agent":"python:agent","trials":2,"task_split":"base"}','{"trialkit":"0.1.0","agent":"my-agent","agent mode":"stdio"}','stopped','interrupted');
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    started TEXT NOT NULL,
    elapsed_s REAL NOT NULL DEFAULT 0
);
INSERT INTO "sessions" VALUES(1,'2026-11-18T22:25:48.801+00:00',4.0);
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
INSERT INTO "trials" VALUES(1,'0',1,'2026-01-01T00:00:00.000+00:00','2026-11-18T22:25:48.802+00:00',1.5,0,'{"messages":[{"role":"user","content":"Hello"},{"role":"assistant","content":"Hi"}],"actions":[],"end":"user_stop","steps":4,"turns":2}',NULL,NULL);
INSERT INTO "trials" VALUES(2,'1',1,'2026-01-01T00:00:00.000+00:00','2026-11-18T22:25:48.802+00:00',1.5,0,'{"messages":[{"role":"user","content":"Hello"},{"role":"assistant","content":"Hi"}],"actions":[],"end":"user_stop","steps":4,"turns":2}',NULL,NULL);
INSERT INTO "trials" VALUES(3,'0',2,'2026-01-01T00:00:00.000+00:00','2026-11-18T22:25:48.803+00:00',1.5,0,'{"messages":[{"role":"user","content":"Hello"},{"role":"assistant","content":"Hi"}],"actions":[],"end":"user_stop","steps":4,"turns":2}',NULL,NULL);
INSERT INTO "trials" VALUES(4,'1',2,NULL,NULL,NULL,0,NULL,NULL,NULL);
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
INSERT INTO "verdicts" VALUES(1,1,'environment',1,'pass','As it should be.','[{"check":"db","met":true,"evidence":"e"}]',1.0,'{"reward":1.0,"parts":{"db":1.0},"end":"user_stop","steps":4,"turns":2,"success_turn":null,"breakdown":null}','2026-11-18T22:25:48.802+00:00');
INSERT INTO "verdicts" VALUES(2,2,'environment',1,'fail','wrong','[{"check":"db","met":false,"evidence":"e"}]',0.0,'{"reward":0.0,"parts":{"db":0.0},"end":"user_stop","steps":4,"turns":2,"success_turn":null,"breakdown":null}','2026-11-18T22:25:48.802+00:00');
INSERT INTO "verdicts" VALUES(3,3,'environment',1,'pass','As it should be.','[{"check":"db","met":true,"evidence":"e"}]',1.0,'{"reward":1.0,"parts":{"db":1.0},"end":"user_stop","steps":4,"turns":2,"success_turn":null,"breakdown":null}','2026-11-18T22:25:48.803+00:00');
CREATE INDEX calls_by_trial ON calls (trial_id);
CREATE INDEX verdicts_by_trial ON verdicts (trial_id);
CREATE INDEX remarks_by_trial ON remarks (trial_id);
COMMIT;
