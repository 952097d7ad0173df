-- One row: a document that a released item rests on.
select
    release_items.split || '/' || release_items.item_id as key,
    {
        'role': documents.role,
        'paper_id': papers.paper_id,
        'title': papers.title,
        'licence': papers.licence,
        'in_hand': documents.in_hand,
        'gold': documents.gold
    } as document
from release.items as release_items
inner join item_documents as documents on release_items.item_id = documents.item_id
inner join corpus.papers on documents.paper_id = papers.paper_id
where release_items.released and key >= $first and key < $before
order by key, documents.position
