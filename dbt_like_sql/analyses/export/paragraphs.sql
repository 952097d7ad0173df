-- One row: a paragraph of a releasable paper that the method works on, or that an item rests on, as the
-- evidence is quoted from it. Those of documents that are there for evaluation only are left out.
select
    paragraphs.paragraph_id,
    paragraphs.paper_id,
    paragraphs.section_id,
    sections.position as section_position,
    sections.title as section,
    sections.kind as section_kind,
    paragraphs.position,
    paragraphs.kind,
    paragraphs.subsection,
    paragraphs.text
from corpus.paragraphs
inner join corpus.releasable_papers as releasable on paragraphs.paper_id = releasable.paper_id
semi join (
    select paper_id from corpus.admitted_papers
    union all
    select paper_id from item_documents
) as used on paragraphs.paper_id = used.paper_id
anti join (
    select paper_id from corpus.papers
    where article_type = 'evaluation'
) as for_evaluation on paragraphs.paper_id = for_evaluation.paper_id
inner join corpus.sections on paragraphs.section_id = sections.section_id
where releasable.releasable and paragraphs.paper_id >= $first and paragraphs.paper_id < $before
order by paragraphs.paper_id, sections.position, paragraphs.position, paragraphs.paragraph_id
