-- checks: hopweaver.items
-- An accepted comparison compares two different entities by an attribute, was made of a subject and an attribute
-- that are scored high enough to be kept, and neither document holds the other's quote in a paragraph that names
-- the other's entity. What the two have in common is an exact quote of each document.
-- if it fails: an item was changed after it was decided, or decided by an earlier version of the rules. Run
-- `aimsciqa reset --from hopweaver --yes`, then `aimsciqa run`: replies come from the journal.
with accepted as (
    select
        items.*,
        attempts.first_evidence,
        attempts.second_evidence,
        attempts.first_common_paragraph_id,
        attempts.first_common_start,
        attempts.first_common_evidence,
        attempts.second_common_paragraph_id,
        attempts.second_common_start,
        attempts.second_common_evidence
    from hopweaver.items
    inner join hopweaver.attempts on items.attempt_id = attempts.attempt_id
    where items.status = 'accepted' and items.kind = 'comparison'
),

told_twice as (
    select accepted.item_id
    from accepted
    inner join corpus.paragraphs on accepted.second_paper_id = paragraphs.paper_id
    where
        contains(paragraphs.text, accepted.first_evidence)
        and contains(lower(paragraphs.text), lower(accepted.entity_a))
    union
    select accepted.item_id
    from accepted
    inner join corpus.paragraphs on accepted.first_paper_id = paragraphs.paper_id
    where
        contains(paragraphs.text, accepted.second_evidence)
        and contains(lower(paragraphs.text), lower(accepted.entity_b))
),

-- What the two have in common, as each document states it.
common as (
    select
        item_id,
        first_paper_id as paper_id,
        first_common_paragraph_id as paragraph_id,
        first_common_start as start,
        first_common_evidence as evidence
    from accepted
    where in_common is not null
    union all
    select
        item_id,
        second_paper_id,
        second_common_paragraph_id,
        second_common_start,
        second_common_evidence
    from accepted
    where in_common is not null
)

select item_id, 'entities' as broken
from accepted
where
    coalesce(entity_a, '') = '' or coalesce(entity_b, '') = '' or coalesce(attribute, '') = ''
    or lower(trim(entity_a)) = lower(trim(entity_b))
union all
select item_id, 'no_kept_attribute'
from accepted
where not exists (
    select 1 from hopweaver.attributes
    where attributes.attempt_id = accepted.attempt_id and attributes.kept
)
union all
select item_id, 'shared_fact'
from told_twice
union all
select common.item_id, 'common_quote'
from common
left join corpus.paragraphs on common.paragraph_id = paragraphs.paragraph_id
where
    common.paper_id is distinct from paragraphs.paper_id
    or common.evidence
    is distinct from substring(paragraphs.text, common.start + 1, length(common.evidence))
