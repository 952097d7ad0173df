-- One row: a sampled QA pair with all that a person needs to rate it.
select
    pairs.qa_id as subject_id,
    pairs.question,
    pairs.answer,
    pairs.evidence,
    pairs.evidence_start,
    pairs.evidence_end,
    paragraphs.text as paragraph,
    coalesce(earlier.text, '') as paragraph_before,
    coalesce(later.text, '') as paragraph_after,
    sections.title as section,
    paragraphs.subsection,
    papers.title as paper,
    papers.paper_id,
    papers.pmcid,
    papers.doi
from single_hop.qa_pairs as pairs
inner join corpus.papers on pairs.paper_id = papers.paper_id
inner join corpus.sections on pairs.section_id = sections.section_id
inner join corpus.paragraphs on pairs.paragraph_id = paragraphs.paragraph_id
left join corpus.paragraphs as earlier
    on paragraphs.section_id = earlier.section_id and paragraphs.position - 1 = earlier.position
    and earlier.kind = 'text'
left join corpus.paragraphs as later
    on paragraphs.section_id = later.section_id and paragraphs.position + 1 = later.position
    and later.kind = 'text'
where pairs.qa_id in (select unnest($ids))
