-- checks: quality.twins
-- A twin replaces a document of its item, by one that the item does not have.
-- if it fails: the items are newer than their twins. Materialize quality/twins, or `aimsciqa run`, which does that
-- wherever it is needed.
select twins.item_id, twins.role, twins.twin_paper_id
from quality.twins
left join item_documents as documents on twins.item_id = documents.item_id and twins.role = documents.role
where
    documents.paper_id is distinct from twins.paper_id
    or exists (
        select 1
        from item_documents as own
        where own.item_id = twins.item_id and own.paper_id = twins.twin_paper_id
    )
