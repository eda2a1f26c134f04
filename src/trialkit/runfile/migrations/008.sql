-- Who labels may be unsure, and where annotators disagree somebody settles it, who may be one of them: two labels then.
DROP VIEW trial_results;
DROP VIEW labels_by_trial;
CREATE TABLE labels_before AS SELECT * FROM labels;
DROP TABLE labels;
CREATE TABLE labels (
    trial_id INTEGER NOT NULL REFERENCES trials (id),
    annotator TEXT NOT NULL,
    settles INTEGER NOT NULL DEFAULT 0,
    outcome TEXT NOT NULL,
    score REAL,
    critique TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (trial_id, annotator, settles)
) WITHOUT ROWID;
INSERT INTO labels (trial_id, annotator, outcome, score, critique, at)
    SELECT trial_id, annotator, outcome, score, critique, at FROM labels_before;
DROP TABLE labels_before;
CREATE TRIGGER label_added AFTER INSERT ON labels BEGIN
    UPDATE changes SET number = (SELECT max(number) + 1 FROM changes) WHERE trial_id = new.trial_id;
END;
CREATE TRIGGER label_changed AFTER UPDATE ON labels BEGIN
    UPDATE changes SET number = (SELECT max(number) + 1 FROM changes) WHERE trial_id = new.trial_id;
END;
CREATE TRIGGER label_removed AFTER DELETE ON labels BEGIN
    UPDATE changes SET number = (SELECT max(number) + 1 FROM changes) WHERE trial_id = old.trial_id;
END;

-- What people found in a trial, by names of their own. Step 0: in the whole of it.
CREATE TABLE marks (
    trial_id INTEGER NOT NULL REFERENCES trials (id),
    annotator TEXT NOT NULL,
    step INTEGER NOT NULL,
    kind TEXT NOT NULL,
    critique TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (trial_id, annotator, step, kind)
) WITHOUT ROWID;
CREATE TRIGGER mark_added AFTER INSERT ON marks BEGIN
    UPDATE changes SET number = (SELECT max(number) + 1 FROM changes) WHERE trial_id = new.trial_id;
END;
CREATE TRIGGER mark_removed AFTER DELETE ON marks BEGIN
    UPDATE changes SET number = (SELECT max(number) + 1 FROM changes) WHERE trial_id = old.trial_id;
END;

CREATE VIEW trial_results AS
SELECT
    trials.id AS trial_id,
    trials.case_id,
    cases.title,
    cases.grp AS "group",
    trials.number AS trial,
    coalesce(decided.outcome, iif(trials.error IS NULL, NULL, 'error')) AS outcome,
    json_extract(run.measures, '$[0].name') AS measure,
    CASE
        WHEN decided.outcome = 'error' THEN NULL
        WHEN json_extract(run.measures, '$[0].kind') = 'pass' THEN
            CASE decided.outcome WHEN 'pass' THEN 1.0 WHEN 'fail' THEN 0.0 END
        ELSE coalesce(
            (SELECT value FROM json_each(decided.scores) WHERE key = json_extract(run.measures, '$[0].name')),
            decided.score
        )
    END AS headline,
    decided.score,
    decided.judge,
    decided.critique,
    coalesce(
        (SELECT outcome FROM labels WHERE trial_id = trials.id AND settles),
        (
            SELECT CASE WHEN min(outcome) = max(outcome) THEN min(outcome) WHEN count(*) THEN 'split' END
            FROM labels WHERE trial_id = trials.id AND outcome != 'unsure'
        ),
        (SELECT 'unsure' FROM labels WHERE trial_id = trials.id LIMIT 1)
    ) AS label,
    trials.started,
    trials.ended,
    trials.elapsed_s AS seconds,
    (SELECT count(*) FROM calls WHERE trial_id = trials.id AND (reply IS NOT NULL OR input_tokens IS NOT NULL) AND phase != 'after') AS calls,
    (SELECT count(*) FROM calls WHERE trial_id = trials.id AND reply IS NULL AND phase != 'after') AS failed_calls,
    (
        SELECT iif(count(input_tokens) = count(*), sum(input_tokens), NULL)
        FROM calls WHERE trial_id = trials.id AND (reply IS NOT NULL OR input_tokens IS NOT NULL) AND phase != 'after'
    ) AS input_tokens,
    (
        SELECT iif(count(output_tokens) = count(*), sum(output_tokens), NULL)
        FROM calls WHERE trial_id = trials.id AND (reply IS NOT NULL OR input_tokens IS NOT NULL) AND phase != 'after'
    ) AS output_tokens,
    (
        SELECT CASE
            WHEN count(*) = 0 THEN iif(trials.given, NULL, 0.0)
            WHEN count(cost) = count(*) THEN sum(cost)
        END
        FROM calls WHERE trial_id = trials.id AND (reply IS NOT NULL OR input_tokens IS NOT NULL) AND phase != 'after'
    ) AS cost_usd,
    trials.error_kind,
    trials.error,
    trials.output AS answer
FROM run, trials
JOIN cases ON cases.id = trials.case_id
LEFT JOIN verdicts AS decided
    ON decided.id = (SELECT max(id) FROM verdicts WHERE trial_id = trials.id AND decides);

CREATE VIEW labels_by_trial AS
SELECT
    labels.trial_id,
    trials.case_id,
    cases.title,
    trials.number AS trial,
    labels.annotator,
    labels.outcome AS label,
    labels.score,
    labels.settles,
    labels.critique,
    labels.at,
    (
        SELECT json_extract(data, '$.how') AS how FROM remarks WHERE trial_id = labels.trial_id AND kind = 'drawn'
        ORDER BY how = 'random' DESC, how IN ('passed', 'failed') DESC, id DESC LIMIT 1
    ) AS drawn,
    decided.judge,
    decided.outcome AS verdict,
    iif(
        decided.outcome IN ('pass', 'fail') AND labels.outcome IN ('pass', 'fail'),
        decided.outcome = labels.outcome,
        NULL
    ) AS agrees,
    decided.critique AS judge_critique
FROM labels
JOIN trials ON trials.id = labels.trial_id
JOIN cases ON cases.id = trials.case_id
LEFT JOIN verdicts AS decided
    ON decided.id = (SELECT max(id) FROM verdicts WHERE trial_id = labels.trial_id AND decides);
