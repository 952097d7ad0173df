-- checks: scidqa.requests
-- Every sentence that asks for something stands within the text of a review, and its discussion counts it.
-- if it fails: notes were changed after their discussions were made: run `aimsciqa run`.
with counted as (
    select note_id, count(*) as requests
    from scidqa.requests
    group by note_id
)

select requests.note_id, requests.position
from scidqa.requests
left join scidqa.notes on requests.note_id = notes.note_id
left join scidqa.discussions on requests.note_id = discussions.review_note_id
left join counted on requests.note_id = counted.note_id
where
    notes.kind is distinct from 'review'
    or requests.sentence_end > length(notes.text)
    or requests.sentence_start >= requests.sentence_end
    or discussions.requests is distinct from counted.requests
