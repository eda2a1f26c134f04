-- What the calls of a trial took, added up as they come: the figures of a run need not go through all of its calls, which
-- hold their replies. Of a call, its share:
CREATE VIEW call_shares AS
SELECT
    id,
    trial_id,
    phase,
    role,
    model,
    source,
    answered AS calls,
    answered AND timed_out AS timeouts,
    answered AND input_tokens IS NOT NULL AS input_told,
    iif(answered, coalesce(input_tokens, 0), 0) AS input_tokens,
    answered AND output_tokens IS NOT NULL AS output_told,
    iif(answered, coalesce(output_tokens, 0), 0) AS output_tokens,
    answered AND cost IS NOT NULL AS priced,
    coalesce(cost, 0.0) AS cost,
    iif(answered, latency_s, 0.0) AS latency_s,
    reply IS NOT NULL AS replies,
    reply IS NULL AS failed,
    max(attempts - 1, 0) AS retries,
    left_out,
    iif(
        instr(reply, '"reasoning_tokens":') AND json_valid(reply),
        coalesce(json_extract(reply, '$.usage.reasoning_tokens'), 0),
        0
    ) AS reasoning_tokens,
    iif(instr(reply, '"stop":"length"') AND json_valid(reply), json_extract(reply, '$.stop') IS 'length', 0) AS cut_off,
    iif(instr(reply, '"cost_told":') AND json_valid(reply), coalesce(json_extract(reply, '$.cost_told'), 0), 0) AS told_costs,
    iif(
        instr(reply, '"call_as_text":') AND json_valid(reply),
        coalesce(json_extract(reply, '$.call_as_text'), 0),
        0
    ) AS calls_as_text
FROM (
    SELECT
        *,
        -- whether there is something to pay for: after a time-out too, for the server may have gone on
        reply IS NOT NULL OR input_tokens IS NOT NULL OR error_kind IS 'timeout' AS answered,
        error_kind IS 'timeout' AS timed_out
    FROM calls
);
CREATE TABLE spending (
    trial_id INTEGER NOT NULL REFERENCES trials (id),
    phase TEXT NOT NULL,
    role TEXT NOT NULL,
    model TEXT NOT NULL,
    source TEXT NOT NULL,
    calls INTEGER NOT NULL,
    timeouts INTEGER NOT NULL,
    input_told INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_told INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    priced INTEGER NOT NULL,
    cost REAL NOT NULL,
    latency_s REAL NOT NULL,
    replies INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    retries INTEGER NOT NULL,
    left_out TEXT NOT NULL,
    reasoning_tokens INTEGER NOT NULL,
    cut_off INTEGER NOT NULL,
    told_costs INTEGER NOT NULL,
    calls_as_text INTEGER NOT NULL,
    PRIMARY KEY (trial_id, phase, role, model, source)
) WITHOUT ROWID;
INSERT INTO spending
SELECT
    trial_id, phase, role, model, source,
    sum(calls), sum(timeouts), sum(input_told), sum(input_tokens), sum(output_told), sum(output_tokens),
    sum(priced), sum(cost), sum(latency_s), sum(replies), sum(failed), sum(retries), max(left_out),
    sum(reasoning_tokens), sum(cut_off), sum(told_costs), sum(calls_as_text)
FROM call_shares GROUP BY trial_id, phase, role, model, source;
CREATE TRIGGER call_counted AFTER INSERT ON calls BEGIN
    INSERT INTO spending
    SELECT
        trial_id, phase, role, model, source,
        calls, timeouts, input_told, input_tokens, output_told, output_tokens,
        priced, cost, latency_s, replies, failed, retries, left_out,
        reasoning_tokens, cut_off, told_costs, calls_as_text
    FROM call_shares WHERE id = new.id
    ON CONFLICT (trial_id, phase, role, model, source) DO UPDATE SET
        calls = calls + excluded.calls,
        timeouts = timeouts + excluded.timeouts,
        input_told = input_told + excluded.input_told,
        input_tokens = input_tokens + excluded.input_tokens,
        output_told = output_told + excluded.output_told,
        output_tokens = output_tokens + excluded.output_tokens,
        priced = priced + excluded.priced,
        cost = cost + excluded.cost,
        latency_s = latency_s + excluded.latency_s,
        replies = replies + excluded.replies,
        failed = failed + excluded.failed,
        retries = retries + excluded.retries,
        left_out = max(left_out, excluded.left_out),
        reasoning_tokens = reasoning_tokens + excluded.reasoning_tokens,
        cut_off = cut_off + excluded.cut_off,
        told_costs = told_costs + excluded.told_costs,
        calls_as_text = calls_as_text + excluded.calls_as_text;
END;
