-- One row: a paragraph that an item rests on, in the order of the items.
select distinct
    evidence.split || '/' || evidence.item_id as key,
    paragraphs.paragraph_id,
    paragraphs.text
from evidence
inner join corpus.paragraphs on evidence.qa.paragraph_id = paragraphs.paragraph_id
where evidence.split = $split and evidence.item_id >= $first and evidence.item_id < $before
order by key, paragraphs.paragraph_id
