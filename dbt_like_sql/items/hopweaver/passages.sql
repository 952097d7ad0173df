-- One row: what the model took from a document of an accepted item of HopWeaver. A bridge question has a segment of
-- each document, a comparison a paragraph and a fact. Of an original, they are those before it was polished.
with accepted as (
    select
        versions.version_id as item_id,
        versions.kind,
        if(versions.version = 'original', attempts.first_passage, items.first_passage) as first_passage,
        if(versions.version = 'original', attempts.second_passage, items.second_passage) as second_passage,
        comparisons.first_paragraph,
        comparisons.second_paragraph
    from hopweaver.versions
    inner join hopweaver.items on versions.item_id = items.item_id
    inner join hopweaver.attempts on items.attempt_id = attempts.attempt_id
    left join hopweaver.comparisons on items.attempt_id = comparisons.attempt_id
)

select
    item_id,
    'first' as role,
    if(kind = 'bridge', first_passage, first_paragraph) as segment,
    if(kind = 'bridge', null, first_passage) as fact
from accepted
union all
select
    item_id,
    'second',
    if(kind = 'bridge', second_passage, second_paragraph),
    if(kind = 'bridge', null, second_passage)
from accepted
