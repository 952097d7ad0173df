-- One row: a sampled item with all that a person needs to rate it.
with chosen as (
    select unnest($ids::varchar[]) as item_id
),

quoted as (
    select
        quotes.item_id,
        quotes.role,
        arg_min(
            { 'question': quotes.question, 'answer': quotes.answer, 'evidence': quotes.evidence }, quotes.position
        ) as quote
    from item_quotes as quotes
    semi join chosen on quotes.item_id = chosen.item_id
    group by quotes.item_id, quotes.role
),

documents as (
    select
        documents.item_id,
        list(
            {
                'role': documents.role,
                'paper': papers.title,
                'paper_id': documents.paper_id,
                'pmcid': papers.pmcid,
                'doi': papers.doi,
                'quote': quoted.quote
            }
            order by documents.position
        ) as documents
    from item_documents as documents
    semi join chosen on documents.item_id = chosen.item_id
    left join corpus.papers on documents.paper_id = papers.paper_id
    left join quoted on documents.item_id = quoted.item_id and documents.role = quoted.role
    group by documents.item_id
),

others as (
    select
        pools.item_id,
        list(
            { 'title': papers.title, 'abstract': papers.abstract } order by pools.position, pools.paper_id
        ) as papers
    from item_pools as pools
    semi join chosen on pools.item_id = chosen.item_id
    anti join item_documents as documents
        on pools.item_id = documents.item_id and pools.paper_id = documents.paper_id
    inner join corpus.papers on pools.paper_id = papers.paper_id
    group by pools.item_id
)

select
    questions.item_id as subject_id,
    questions.question,
    questions.answer,
    questions.steps,
    documents.documents,
    others.papers as other_papers,
    exists(from item_pools as pools where pools.item_id = questions.item_id) as has_pool
from item_questions as questions
inner join documents on questions.item_id = documents.item_id
left join others on questions.item_id = others.item_id
