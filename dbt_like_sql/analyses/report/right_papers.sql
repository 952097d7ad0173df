-- One row: how many papers are right for a query, at least and at most; null while there is no query.
select min(papers) as least, max(papers) as most
from (
    select count(*) as papers
    from item_questions as questions
    inner join item_documents as documents on questions.item_id = documents.item_id
    where questions.query is not null and documents.gold
    group by questions.item_id
)
