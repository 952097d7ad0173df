-- An item is of a kind of its form, has question and answer, and rests on documents that differ; what is asked of
-- a search is not empty.
select item_id, variant
from items
where
    not of_its_form
    or '' in (question, answer)
    or coalesce(query, 'nothing') = ''
    or len(documents) = 0
    or len(list_distinct(list_transform(documents, lambda document: document.paper_id))) < len(documents)
