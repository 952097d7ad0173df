-- checks: hopweaver.evidence
-- Every quote equals the text of its paragraph between its offsets, and the paragraph belongs to its document.
-- if it fails: the paragraphs were read anew after the questions were made, or a row was changed by hand; no
-- such item may go into a benchmark. `aimsciqa reset --from hopweaver --yes`, then `aimsciqa run`: replies come
-- from the journal, no model is asked again.
select evidence.item_id, evidence.position, evidence.evidence, paragraphs.text
from hopweaver.evidence
left join corpus.paragraphs on evidence.paragraph_id = paragraphs.paragraph_id
where
    paragraphs.text is null
    or evidence.paper_id <> paragraphs.paper_id
    or evidence.evidence = ''
    or evidence.evidence
    is distinct from substring(
        paragraphs.text, evidence.evidence_start + 1, evidence.evidence_end - evidence.evidence_start
    )
