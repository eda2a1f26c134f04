-- What a trial is worth and who decides it was told by names until now: `llm:MODEL@VERSION` was a model, tau's suites had
-- a reward between 0 and 1, and a task that they skipped had the reason among its data.
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

-- The last change of each trial. Numbers only grow, in the order of the commits: who has seen all up to one of them asks
-- for what has a greater one. Verdicts come with the end of their trial; of events, which are many, the writer counts those
-- of one commit as one change.
CREATE TABLE changes (
    number INTEGER PRIMARY KEY,
    trial_id INTEGER NOT NULL UNIQUE REFERENCES trials (id)
);
INSERT INTO changes (trial_id) SELECT id FROM trials ORDER BY id;
CREATE TRIGGER trial_planned AFTER INSERT ON trials BEGIN
    INSERT INTO changes (trial_id) VALUES (new.id);
END;
CREATE TRIGGER trial_changed AFTER UPDATE ON trials BEGIN
    UPDATE changes SET number = (SELECT max(number) + 1 FROM changes) WHERE trial_id = new.id;
END;
CREATE TRIGGER call_added AFTER INSERT ON calls BEGIN
    UPDATE changes SET number = (SELECT max(number) + 1 FROM changes) WHERE trial_id = new.trial_id;
END;
CREATE TRIGGER remark_added AFTER INSERT ON remarks BEGIN
    UPDATE changes SET number = (SELECT max(number) + 1 FROM changes) WHERE trial_id = new.trial_id;
END;
CREATE TRIGGER label_added AFTER INSERT ON labels BEGIN
    UPDATE changes SET number = (SELECT max(number) + 1 FROM changes) WHERE trial_id = new.trial_id;
END;
CREATE TRIGGER label_changed AFTER UPDATE ON labels BEGIN
    UPDATE changes SET number = (SELECT max(number) + 1 FROM changes) WHERE trial_id = new.trial_id;
END;
CREATE TRIGGER label_removed AFTER DELETE ON labels BEGIN
    UPDATE changes SET number = (SELECT max(number) + 1 FROM changes) WHERE trial_id = old.trial_id;
END;

-- For people who look into the file with a tool of their own.
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
    (
        SELECT CASE WHEN min(outcome) = max(outcome) THEN min(outcome) WHEN count(*) THEN 'split' END
        FROM labels WHERE trial_id = trials.id
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

CREATE VIEW model_calls AS
SELECT
    calls.id AS call_id,
    calls.trial_id,
    trials.case_id,
    trials.number AS trial,
    calls.role,
    calls.phase,
    calls.model,
    calls.at,
    calls.source,
    calls.latency_s AS seconds,
    calls.attempts,
    calls.input_tokens,
    calls.output_tokens,
    calls.cost AS cost_usd,
    json_extract(calls.reply, '$.text') AS text,
    json_extract(calls.reply, '$.tool_calls') AS tool_calls,
    calls.error_kind,
    calls.error,
    calls.void
FROM calls
JOIN trials ON trials.id = calls.trial_id;

CREATE VIEW labels_by_trial AS
SELECT
    labels.trial_id,
    trials.case_id,
    cases.title,
    trials.number AS trial,
    labels.annotator,
    labels.outcome AS label,
    labels.critique,
    labels.at,
    (
        SELECT json_extract(data, '$.how') FROM remarks WHERE trial_id = labels.trial_id AND kind = 'drawn'
        ORDER BY json_extract(data, '$.how') = 'random' DESC, id DESC LIMIT 1
    ) AS drawn,
    decided.judge,
    decided.outcome AS verdict,
    iif(decided.outcome IN ('pass', 'fail'), decided.outcome = labels.outcome, NULL) AS agrees,
    decided.critique AS judge_critique
FROM labels
JOIN trials ON trials.id = labels.trial_id
JOIN cases ON cases.id = trials.case_id
LEFT JOIN verdicts AS decided
    ON decided.id = (SELECT max(id) FROM verdicts WHERE trial_id = labels.trial_id AND decides);
