-- One row: a question with a verdict on both versions of its manuscript. Those that only the final version answers
-- (`gained`) are the contrast set: the same question, once with and once without its answer in the text.
with verdicts as (
    select
        qa_id,
        any_value(forum_id) as forum_id,
        max(paper_id) filter (where version = 'initial') as initial_paper_id,
        max(paper_id) filter (where version = 'final') as final_paper_id,
        max(verdict) filter (where version = 'initial') as initial_verdict,
        max(verdict) filter (where version = 'final') as final_verdict
    from scidqa.answerability
    where verdict is not null
    group by qa_id
)

select
    *,
    case
        when initial_verdict = 'unanswerable' and final_verdict = 'answerable' then 'gained'
        when initial_verdict = 'answerable' and final_verdict = 'unanswerable' then 'lost'
        when initial_verdict = 'unanswerable' and final_verdict = 'unanswerable' then 'neither'
        when initial_verdict = final_verdict and initial_verdict = 'answerable' then 'both'
        else 'partial'
    end as contrast
from verdicts
where initial_verdict is not null and final_verdict is not null
