-- One row: an item whose text a licence keeps out of the release, with the places where its texts stand.
with texts as (
    select
        item_id,
        list(
            {
                'name': name,
                'text_id': text_id,
                'licence': licence,
                'start': text_start,
                'end': text_end
            }
            order by position
        ) as texts
    from item_texts
    group by item_id
),

documents as (
    select
        documents.item_id,
        list(
            { 'role': documents.role, 'paper_id': papers.paper_id, 'licence': papers.licence }
            order by documents.position
        ) as documents
    from item_documents as documents
    inner join corpus.papers on documents.paper_id = papers.paper_id
    group by documents.item_id
),

quotes as (
    select
        item_id,
        list(
            { 'role': role, 'paragraph_id': paragraph_id, 'start': evidence_start, 'end': evidence_end }
            order by position
        ) as quotes
    from item_quotes
    group by item_id
)

select
    items.item_id,
    items.variant,
    items.split,
    items.rejection_reason as reason,
    texts.texts,
    documents.documents,
    coalesce(quotes.quotes, []) as quotes
from release.items as items
inner join texts on items.item_id = texts.item_id
inner join documents on items.item_id = documents.item_id
left join quotes on items.item_id = quotes.item_id
where items.place_only
order by items.split, items.item_id
