-- One row: an item that people reviewed, and what follows for the release. Of each reviewer the latest review
-- counts, as long as the item has the words that were reviewed. Where some accept and some reject an item, it is
-- disputed, and stays out of the release until they agree; if settings.release.reviews is majority, the larger
-- number decides. Of several edits the latest counts; one that brings back the original is none.
with counted as (
    select
        item_id,
        count(*) as reviewers,
        count(*) filter (where decision = 'accept') as accepts,
        count(*) filter (where decision = 'reject') as rejects,
        avg(score) as score,
        arg_max(question, reviewed_at) filter (where question is not null and decision is distinct from 'reject')
            as question,
        arg_max(answer, reviewed_at) filter (where answer is not null and decision is distinct from 'reject')
            as answer,
        any_value(of_question) as of_question,
        any_value(of_answer) as of_answer
    from shared_latest_reviews
    group by item_id
)

select
    item_id,
    case
        when accepts = 0 and rejects = 0 then 'open'
        when rejects = 0 or ($release__reviews = 'majority' and accepts > rejects) then 'accepted'
        when accepts = 0 or ($release__reviews = 'majority' and rejects > accepts) then 'rejected'
        else 'disputed'
    end as decision,
    reviewers,
    accepts,
    rejects,
    score,
    nullif(question, of_question) as question,
    nullif(answer, of_answer) as answer
from counted
