-- One row: a model that wrote, encoded, answered or judged rows of a stage, with their number. Rows about which
-- no model was asked do not count. A baseline works by rules or compares words.
with used as (
    select 1 as place, 'questions about paragraphs' as task, model, model_revision as revision
    from single_hop.extractions
    where rejection_reason is distinct from 'not_recorded'
    union all
    select 2, 'encoding of questions', encoder, encoder_revision from single_hop.similarities
    union all
    select 3, 'multi-hop items', model, model_revision from multi_hop.items
    where rejection_reason is distinct from 'not_recorded'
    union all
    select 3, replace(form, '_', '-') || ' items', model, model_revision
    from item_questions
    where form != 'multi_hop'
    union all
    select 4, 'answers', model, model_revision from benchmark.answers
    where coalesce(rejection_reason, '') not in ('no_ranking', 'not_recorded', 'no_model', 'no_text')
    union all
    select 5, 'judging answers', judge, '' from benchmark.judgements
    where coalesce(rejection_reason, '') not in ('same_family', 'no_answer', 'no_text', 'not_recorded')
    union all
    select 6, 'rating answers', judge, '' from benchmark.aspect_ratings
    where coalesce(rejection_reason, '') not in ('same_family', 'no_answer', 'no_text', 'not_recorded')
    union all
    select 7, 'rating items', model, model_revision from benchmark.ratings
    where coalesce(rejection_reason, '') not in ('own_family', 'too_many_documents', 'not_recorded')
),

lexical as (
    select distinct judge from benchmark.judgements where kind = 'lexical'
)

select
    place,
    task,
    model,
    revision,
    count(*) as rows,
    model = 'scripted' or (task = 'judging answers' and model in (from lexical)) as baseline
from used
group by all
order by place, rows desc, model, revision
