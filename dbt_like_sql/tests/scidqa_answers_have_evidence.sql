-- checks: scidqa.answerability
-- A version that answers a question, wholly or partly, has an exact quote for it; one that does not has none. Without
-- a verdict there is a reason.
-- if it fails: a row was changed by hand. `aimsciqa reset --from scidqa --yes`, then `aimsciqa run`: replies come from
-- the journal, no model is asked again.
select answerability.qa_id, answerability.version, answerability.verdict, count(evidence.paragraph_id) as quotes
from scidqa.answerability
left join scidqa.evidence
    on answerability.qa_id = evidence.qa_id and answerability.version = evidence.version
group by answerability.qa_id, answerability.version, answerability.verdict, answerability.rejection_reason
having
    (answerability.verdict is null) <> (answerability.rejection_reason is not null)
    or (answerability.verdict is not null and (answerability.verdict = 'unanswerable') <> (quotes = 0))
