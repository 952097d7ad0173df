-- One row: a task and a model, with the tokens of its calls by kind, and what its replies cost.
select
    task,
    model,
    sum(prompt_tokens) as prompt,
    sum(cached_tokens) as cached,
    sum(reply_tokens) as reply,
    sum(reasoning_tokens) as reasoning,
    sum(cost) as cost
from shared_paid_calls
group by all
order by all
