-- One row: a language model that wrote what is released, with how it was asked, and how much it wrote.
with wrote as (
    select 'single-hop QA pairs' as what, pairs.model, pairs.model_revision, pairs.prompt_version, count(*) as rows
    from single_hop.qa_pairs as pairs
    inner join corpus.releasable_papers as releasable on pairs.paper_id = releasable.paper_id
    where pairs.status = 'kept' and releasable.releasable
    group by all
    union all
    select 'multi-hop items', items.model, items.model_revision, items.prompt_version, count(*)
    from multi_hop.items
    inner join release.items as release_items on items.item_id = release_items.item_id
    where release_items.released
    group by all
),

asked as (
    select
        case table_name when 'multi_hop.items' then 'multi-hop items' else 'single-hop QA pairs' end as what,
        model,
        model_revision,
        string_agg(distinct sampling, '; ' order by sampling) as sampling
    from ops.llm_calls
    where table_name in ('multi_hop.items', 'single_hop.extractions') and sampling <> ''
    group by all
)

select wrote.*, asked.sampling
from wrote
left join asked using (what, model, model_revision)
order by all
