-- One row: a model that was asked for rows of a table, with what that took. Calls that were replaced since count.
select
    table_name,
    model,
    count(*) as calls,
    count(*) filter (where from_journal) as from_journal,
    count(*) filter (where outcome != 'ok') as failed,
    count(*) filter (where replaced) as replaced,
    sum(prompt_tokens)::bigint as prompt_tokens,
    sum(cached_tokens)::bigint as cached,
    sum(reply_tokens)::bigint as reply_tokens,
    sum(cost) as cost
from shared_paid_calls
group by all
order by all
