-- checks: scidqa.qa_pairs
-- The quotes of a pair equal the texts of their notes between their offsets; the question's note is a review,
-- the answer's was written by the authors, and both are of one forum. Pairs whose quotes were not found have
-- no offsets.
-- if it fails: a note was changed after the pairs were made, or a row by hand; no such pair may be released.
-- `aimsciqa reset --from scidqa --yes`, then `aimsciqa run`: replies come from the journal, no model is asked
-- again.
with quotes as (
    select
        qa_id, forum_id, status, review_note_id as note_id, question_quote as quote, question_start as quote_start,
        question_end as quote_end, false as is_answer
    from scidqa.qa_pairs
    union all
    select qa_id, forum_id, status, reply_note_id, answer_quote, answer_start, answer_end, true
    from scidqa.qa_pairs
)

select quotes.qa_id, quotes.quote, notes.text
from quotes
left join scidqa.notes on quotes.note_id = notes.note_id
where
    (quotes.quote_start is null and quotes.status = 'accepted')
    or (
        quotes.quote_start is not null
        and (
            notes.text is null
            or quotes.quote = ''
            or notes.forum_id <> quotes.forum_id
            or (notes.writer = 'authors') <> quotes.is_answer
            or quotes.quote
            is distinct from substring(notes.text, quotes.quote_start + 1, quotes.quote_end - quotes.quote_start)
        )
    )
