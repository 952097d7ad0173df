-- One row: an item that may be evaluated, with its documents.
with documents as (
    select item_id, list({ 'paper_id': paper_id, 'in_hand': in_hand, 'gold': gold } order by position) as documents
    from item_documents
    group by item_id
)

select
    questions.item_id,
    questions.variant,
    questions.split,
    questions.query,
    questions.question,
    questions.answer,
    documents.documents
from item_questions as questions
inner join documents on questions.item_id = documents.item_id
where questions.split is not null
order by questions.item_id
