-- One row: an accepted item with its documents, their quotes and its hops, for the ledger of what it needs.
with documents as (
    select
        documents.item_id,
        list(
            {
                'role': documents.role,
                'paper_id': documents.paper_id,
                'title': coalesce(papers.title, ''),
                'in_hand': documents.in_hand,
                'gold': documents.gold
            } order by documents.position
        ) as documents
    from item_documents as documents
    left join corpus.papers on documents.paper_id = papers.paper_id
    group by documents.item_id
),

quotes as (
    select
        item_id,
        list(
            { 'role': role, 'question': question, 'answer': answer, 'evidence': evidence } order by position
        ) filter (where evidence is not null) as quotes
    from item_quotes
    group by item_id
),

hops as (
    select
        item_id,
        list({ 'role': role, 'question': question, 'answer': answer, 'bridge': bridge } order by position) as hops
    from item_hops
    group by item_id
)

select
    questions.item_id,
    questions.variant,
    questions.question,
    questions.answer,
    documents.documents,
    quotes.quotes,
    hops.hops
from item_questions as questions
inner join documents on questions.item_id = documents.item_id
left join quotes on questions.item_id = quotes.item_id
left join hops on questions.item_id = hops.item_id
order by questions.item_id
