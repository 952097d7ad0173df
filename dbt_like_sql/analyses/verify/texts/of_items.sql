-- One row: a paragraph that an item of a form rests on, in the order of the items.
select distinct
    evidence.item_id as key,
    paragraphs.paragraph_id,
    paragraphs.text
from (
    select item_id, paper_id, unnest(quotes) as quote
    from (
        select item_id, document.paper_id as paper_id, document.quotes as quotes
        from (
            select item_id, unnest(documents) as document
            from items
            where form = $form and split = $split and item_id >= $first and item_id < $before
        )
    )
) as evidence
inner join corpus.paragraphs on evidence.quote.paragraph_id = paragraphs.paragraph_id
order by key, paragraphs.paragraph_id
