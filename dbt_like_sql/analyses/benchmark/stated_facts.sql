-- One row: an evaluated item with the facts that its answer states, and what it computes from them.
with facts as (
    select
        item_id,
        list(
            { 'statement': statement, 'amount': value_text, 'unit': unit, 'evidence': evidence } order by position
        ) as facts
    from item_stated_facts
    group by item_id
),

computed as (
    select item_id, list(result || ' ' || unit order by position) as results
    from item_computations
    group by item_id
)

select facts.item_id, facts.facts, coalesce(computed.results, []) as results
from facts
inner join benchmark.queries on facts.item_id = queries.item_id
left join computed on facts.item_id = computed.item_id
order by facts.item_id
