-- Labels follow the measure: where trials are scored, a label is a score.
ALTER TABLE labels ADD COLUMN score REAL;
DROP VIEW labels_by_trial;
CREATE VIEW labels_by_trial AS
SELECT
    labels.trial_id,
    trials.case_id,
    cases.title,
    trials.number AS trial,
    labels.annotator,
    labels.outcome AS label,
    labels.score,
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
