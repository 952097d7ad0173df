-- checks: scidqa.evidence
-- Every quote that was found equals the text of its paragraph between its offsets, and the paragraph belongs to the
-- version of the manuscript; one that was not found has a reason.
-- if it fails: a row was changed by hand, or the manuscript was read anew. `aimsciqa reset --from scidqa --yes`, then
-- `aimsciqa run`: replies come from the journal, no model is asked again.
select evidence.qa_id, evidence.version, evidence.position, evidence.evidence, paragraphs.text
from scidqa.evidence
left join corpus.paragraphs on evidence.paragraph_id = paragraphs.paragraph_id
where
    (evidence.paragraph_id is null) <> (evidence.rejection_reason is not null)
    or (
        evidence.paragraph_id is not null
        and (
            paragraphs.text is null
            or evidence.paper_id <> paragraphs.paper_id
            or evidence.evidence = ''
            or evidence.evidence
            is distinct from substring(
                paragraphs.text, evidence.evidence_start + 1, evidence.evidence_end - evidence.evidence_start
            )
        )
    )
