-- checks: scidqa.qa_pairs
-- An accepted pair has a question and an answer, both quotes, a relevant verdict and a version by model and by
-- rule, and no reason; a rejected one has a reason.
-- if it fails: a pair was changed after it was decided. Run `aimsciqa reset --from scidqa --yes`, then
-- `aimsciqa run`: replies come from the journal, no model is asked again.
select qa_id, status, rejection_reason
from scidqa.qa_pairs
where
    (status = 'accepted') <> (rejection_reason is null)
    or (
        status = 'accepted'
        and (
            '' in (trim(question), trim(answer), trim(question_quote), trim(answer_quote))
            or relevance is distinct from 'relevant'
            or version is null
            or version_rule is null
            or version_model is null
            or added is null
            or multi_document is null
            or reply_note_id is null
        )
    )
