-- checks: hopweaver.items
-- Of an accepted bridge question, the answer to the first hop is the entity, the second hop names it, neither
-- the first hop nor the question does, in either version, and neither document holds the other's quote.
-- if it fails: an item was changed after it was decided, or decided by an earlier version of the rules. Run
-- `aimsciqa reset --from hopweaver --yes`, then `aimsciqa run`: replies come from the journal.
with accepted as (
    select
        items.item_id,
        items.first_paper_id,
        items.second_paper_id,
        attempts.first_evidence,
        attempts.second_evidence,
        list_transform(
            [
                items.entity_a,
                attempts.answer_1,
                attempts.question_1,
                attempts.question_2,
                items.question,
                items.original_question
            ],
            lambda written:
                ' '
                || trim(regexp_replace(lower(nfc_normalize(written)), '[^\p{L}\p{N}_]+', ' ', 'g'))
                || ' '
        ) as texts
    from hopweaver.items
    inner join hopweaver.attempts on items.attempt_id = attempts.attempt_id
    where items.status = 'accepted' and items.kind = 'bridge'
),

shared as (
    select accepted.item_id
    from accepted
    inner join corpus.paragraphs on accepted.second_paper_id = paragraphs.paper_id
    where contains(paragraphs.text, accepted.first_evidence)
    union
    select accepted.item_id
    from accepted
    inner join corpus.paragraphs on accepted.first_paper_id = paragraphs.paper_id
    where contains(paragraphs.text, accepted.second_evidence)
)

select item_id, 'entity' as broken
from accepted
where
    regexp_replace(texts[1], '^ (the|an?) ', ' ') <> regexp_replace(texts[2], '^ (the|an?) ', ' ')
    or contains(texts[3], texts[1])
    or not contains(texts[4], texts[1])
    or contains(texts[5], texts[1])
    or contains(texts[6], texts[1])
union all
select item_id, 'shared_fact'
from shared
