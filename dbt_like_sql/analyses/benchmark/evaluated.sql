-- One row: an item that is evaluated, with its documents, and how its answers are marked where judges do not.
with documents as (
    select
        item_id,
        list(
            { 'role': role, 'paper_id': paper_id, 'in_hand': in_hand, 'gold': gold } order by position
        ) as documents
    from item_documents
    group by item_id
)

select queries.*, documents.documents, questions.evaluator
from benchmark.queries
inner join item_questions as questions on queries.item_id = questions.item_id
inner join documents on queries.item_id = documents.item_id
order by queries.item_id
