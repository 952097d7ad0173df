-- One row: a language model that wrote what is released, with how it was asked, and how much it wrote.
with wrote as (
    select 'single-hop QA pairs' as what, pairs.model, pairs.model_revision, pairs.prompt_version, count(*) as rows
    from single_hop.qa_pairs as pairs
    inner join corpus.releasable_papers as releasable on pairs.paper_id = releasable.paper_id
    where pairs.status = 'kept' and releasable.releasable
    group by all
    union all
    select
        replace(questions.form, '_', '-') || ' items',
        questions.model,
        questions.model_revision,
        questions.prompt_version,
        count(*)
    from item_questions as questions
    inner join release.items as release_items on questions.item_id = release_items.item_id
    where release_items.released
    group by all
),

asked as (
    select
        if(
            table_name = 'single_hop.extractions',
            'single-hop QA pairs',
            replace(split_part(table_name, '.', 1), '_', '-') || ' items'
        ) as what,
        model,
        model_revision,
        string_agg(distinct sampling, '; ' order by sampling) as sampling
    from ops.llm_calls
    where sampling <> '' and outcome = 'ok' and replaced is not true
    group by all
)

select wrote.*, asked.sampling
from wrote
left join asked using (what, model, model_revision)
order by all
