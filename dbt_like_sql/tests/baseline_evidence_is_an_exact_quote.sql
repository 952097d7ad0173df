-- checks: baseline_sets.evidence
-- Every supporting sentence that was found equals the text of its paragraph between its offsets, and the paragraph
-- belongs to its document; one that was not found has a reason.
-- if it fails: a row was changed by hand. `aimsciqa reset --from baseline_sets --yes`, then `aimsciqa run`.
select evidence.item_id, evidence.position, evidence.evidence, paragraphs.text
from baseline_sets.evidence
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
