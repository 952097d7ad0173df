-- One row: one of two accepted items (of different kinds where there are several), with documents and quotes: neither
-- on the same last document, nor on the same two the other way round. Those of AIM-SciQA stand first, those of
-- published sets and the originals of polished questions last.
with together as (
    select item_id, list(paper_id order by paper_id) as papers, max_by(paper_id, position) as last_paper_id
    from item_documents
    group by item_id
),

ranked as (
    select
        questions.item_id,
        questions.form = 'baseline_sets' or ends_with(questions.variant, '_original') as last,
        questions.form != 'multi_hop' as other,
        questions.variant,
        together.papers,
        together.last_paper_id,
        row_number() over (
            partition by questions.variant
            order by relations.strength desc, questions.item_id
        ) as place
    from item_questions as questions
    inner join together on questions.item_id = together.item_id
    left join multi_hop.items as composed on questions.item_id = composed.item_id
    left join relations.candidate_relations as relations on composed.relation_id = relations.relation_id
),

ordered as (
    select
        item_id,
        papers,
        last_paper_id,
        row_number() over (order by last, place, other, variant = 'cim', variant) as position
    from ranked
),

chosen as (
    select item_id, position
    from ordered
    qualify
        row_number() over (partition by papers order by position) = 1
        and row_number() over (partition by last_paper_id order by position) = 1
    order by position
    limit 2
),

first_quotes as (
    select item_id, role, min_by(evidence, position) as evidence
    from item_quotes
    where item_id in (select item_id from chosen)
    group by item_id, role
),

documents as (
    select
        used.item_id,
        list(
            {
                'role': used.role,
                'title': coalesce(papers.title || ' (' || used.paper_id || ')', used.paper_id),
                'evidence': first_quotes.evidence
            }
            order by used.position
        ) as documents
    from item_documents as used
    left join corpus.papers as papers on used.paper_id = papers.paper_id
    left join first_quotes on used.item_id = first_quotes.item_id and used.role = first_quotes.role
    where used.item_id in (select item_id from chosen)
    group by used.item_id
),

pools as (
    select item_id, count(*) as papers
    from item_pools
    where item_id in (select item_id from chosen)
    group by item_id
)

select
    questions.question,
    questions.answer,
    documents.documents,
    nullif(questions.query, questions.question) as query,
    questions.variant || coalesce('; ' || pools.papers || ' papers to choose from', '') as kind
from chosen
inner join item_questions as questions on chosen.item_id = questions.item_id
inner join documents on chosen.item_id = documents.item_id
left join pools on chosen.item_id = pools.item_id
order by chosen.position
