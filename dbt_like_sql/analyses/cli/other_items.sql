-- One row: a kind of items that other systems made, with their number and the most documents that one has.
with documents as (
    select item_id, count(*) as documents
    from item_documents
    group by item_id
)

select
    questions.variant,
    count(*) as items,
    max(documents.documents) as documents
from item_questions as questions
inner join documents on questions.item_id = documents.item_id
where questions.variant not in ('im', 'cim')
group by questions.variant
order by questions.variant
