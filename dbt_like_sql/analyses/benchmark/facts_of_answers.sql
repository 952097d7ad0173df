-- One row: an item with the facts that its answer rests on, for `no_duplicate`: the QA pairs of its quotes named
-- `core`, or the facts that its answer states. A value of a paper is one fact, wherever it is quoted from.
with facts as (
    select item_id, quote_id as fact
    from item_quotes
    where name = 'core' and quote_id is not null
    union all
    select
        item_id,
        paper_id || ' ' || coalesce(value::varchar, nullif(value_text, ''), paragraph_id || ':' || evidence_start) as fact
    from item_stated_facts
)

select item_id, list(distinct fact order by fact) as facts
from facts
group by item_id
order by item_id
