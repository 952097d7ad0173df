-- One row: an accepted pair of question and answer, with the licences of its two notes.
select
    pairs.qa_id,
    pairs.forum_id,
    pairs.review_note_id,
    pairs.reply_note_id,
    pairs.question,
    pairs.answer,
    pairs.question_start,
    pairs.question_end,
    pairs.answer_start,
    pairs.answer_end,
    pairs.version,
    pairs.multi_document,
    forums.year,
    forums.venue,
    forums.decision,
    review.licence as review_licence,
    reply.licence as reply_licence,
    coalesce(review.status = 'accepted' and reply.status = 'accepted', false) as readable
from scidqa.qa_pairs as pairs
left join scidqa.forums as forums on pairs.forum_id = forums.forum_id
left join scidqa.notes as review on pairs.review_note_id = review.note_id
left join scidqa.notes as reply on pairs.reply_note_id = reply.note_id
where pairs.status = 'accepted'
order by pairs.forum_id, pairs.review_note_id, pairs.question_start, pairs.qa_id
