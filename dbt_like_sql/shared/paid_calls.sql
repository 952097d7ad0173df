-- One row: a call of a language model, with its cost where the reply is named first: a reply that several rows use
-- was paid once.
select
    * replace (
        if(
            row_number() over (partition by fingerprint, answered_at order by cost desc nulls last, call_id) = 1,
            cost,
            cost * 0
        ) as cost
    )
from ops.llm_calls
