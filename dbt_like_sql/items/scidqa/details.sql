-- One row: what else is published of a released question of a review: its forum, where question and answer stand in
-- the notes, and whether each version of the manuscript answers it.
with released as (
    select split || '/' || item_id as key, item_id
    from release.items
    where released and variant = 'review_question' and key >= $first and key < $before
),

verdicts as (
    select
        qa_id,
        max(verdict) filter (where version = 'initial') as initial,
        max(verdict) filter (where version = 'final') as final
    from scidqa.answerability
    group by qa_id
)

select
    released.key,
    pairs.forum_id,
    pairs.version,
    coalesce(pairs.multi_document, false) as multi_document,
    {
        'note_id': pairs.review_note_id,
        'start': pairs.question_start,
        'end': pairs.question_end,
        'licence': coalesce(review.licence, '')
    } as question_quote,
    {
        'note_id': pairs.reply_note_id,
        'start': pairs.answer_start,
        'end': pairs.answer_end,
        'licence': coalesce(reply.licence, '')
    } as answer_quote,
    { 'initial': verdicts.initial, 'final': verdicts.final } as answerable
from released
inner join scidqa.qa_pairs as pairs on released.item_id = pairs.qa_id
inner join scidqa.notes as review on pairs.review_note_id = review.note_id
inner join scidqa.notes as reply on pairs.reply_note_id = reply.note_id
left join verdicts on released.item_id = verdicts.qa_id
order by released.key
