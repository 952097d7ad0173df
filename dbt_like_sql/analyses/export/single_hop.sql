-- One row: a kept QA pair of a releasable paper, with the paragraph that it was made from. It is in test when
-- its evidence overlaps that of a released test item.
with tested as (
    select quotes.paragraph_id, quotes.evidence_start, quotes.evidence_end
    from release.items as release_items
    inner join item_quotes as quotes on release_items.item_id = quotes.item_id
    where release_items.released and release_items.split = 'test'
),

in_test as (
    select distinct pairs.qa_id
    from single_hop.qa_pairs as pairs
    inner join tested
        on
            pairs.paragraph_id = tested.paragraph_id
            and pairs.evidence_start < tested.evidence_end
            and tested.evidence_start < pairs.evidence_end
)

select
    pairs.qa_id,
    case when in_test.qa_id is null then 'dev' else 'test' end as split,
    pairs.paper_id,
    papers.title,
    sections.title as section,
    sections.kind as section_kind,
    pairs.question,
    pairs.answer,
    pairs.evidence,
    pairs.paragraph_id,
    pairs.evidence_start,
    pairs.evidence_end,
    pairs.question_answer_similarity,
    pairs.question_evidence_similarity,
    pairs.model,
    pairs.model_revision,
    pairs.prompt_version,
    paragraphs.text
from single_hop.qa_pairs as pairs
inner join corpus.releasable_papers as releasable on pairs.paper_id = releasable.paper_id
inner join corpus.papers on pairs.paper_id = papers.paper_id
inner join corpus.sections on pairs.section_id = sections.section_id
inner join corpus.paragraphs on pairs.paragraph_id = paragraphs.paragraph_id
left join in_test on pairs.qa_id = in_test.qa_id
where
    pairs.status = 'kept'
    and releasable.releasable
    and pairs.paper_id >= $first
    and pairs.paper_id < $before
order by pairs.paper_id, sections.position, paragraphs.position, pairs.paragraph_id, pairs.position, pairs.qa_id
