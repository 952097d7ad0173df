-- No item failed a quality gate that the release asks for.
select item_id, gate
from (
    select
        item_id,
        unnest(['single_document', 'closed_book', 'unique_retrieval', 'no_duplicate']) as gate,
        unnest([gates.single_document, gates.closed_book, gates.unique_retrieval, gates.no_duplicate]) as verdict
    from items
)
where verdict = 'fail' and list_contains(string_split($release__gates, ' '), gate)
