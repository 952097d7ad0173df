-- One row: an exact quote from a version of a manuscript, with its paragraph and the licence of the manuscript.
select
    evidence.qa_id,
    evidence.version,
    evidence.paper_id,
    evidence.paragraph_id,
    paragraphs.text,
    evidence.evidence_start,
    evidence.evidence_end,
    papers.licence
from scidqa.evidence as evidence
inner join corpus.paragraphs as paragraphs on evidence.paragraph_id = paragraphs.paragraph_id
inner join corpus.papers as papers on evidence.paper_id = papers.paper_id
where evidence.evidence_start is not null
order by evidence.qa_id, evidence.version, evidence.position
