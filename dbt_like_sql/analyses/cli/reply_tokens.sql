-- One row: tokens of a reply to $task on average, of this model if it has replied, else of any.
select
    coalesce(
        avg(reply_tokens) filter (where model = $model),
        avg(reply_tokens)
    ) as tokens
from ops.llm_calls
where task = $task and outcome = 'ok' and reply_tokens > 0
