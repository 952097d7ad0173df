-- One row: a note that a question of a review, or its answer, was made from; with the place of the quote in the note.
select
    pairs.qa_id as item_id,
    1 as position,
    'question' as name,
    pairs.review_note_id as text_id,
    notes.licence,
    coalesce(notes.status = 'accepted', false) as readable,
    pairs.question_start as text_start,
    pairs.question_end as text_end
from scidqa.qa_pairs as pairs
left join scidqa.notes as notes on pairs.review_note_id = notes.note_id
where pairs.status = 'accepted'
union all
select
    pairs.qa_id,
    2,
    'answer',
    pairs.reply_note_id,
    notes.licence,
    coalesce(notes.status = 'accepted', false),
    pairs.answer_start,
    pairs.answer_end
from scidqa.qa_pairs as pairs
left join scidqa.notes as notes on pairs.reply_note_id = notes.note_id
where pairs.status = 'accepted'
