-- One row: a QA pair that an item was made from, with its evidence and where that stands.
with used as (
    select
        unnest([1, 2, 3]) as position,
        unnest(['source', 'target', 'target']) as role,
        unnest(['core', 'core', 'retrieval']) as name,
        unnest([core_source_qa_id, core_target_qa_id, retrieval_qa_id]) as qa_id
    from multi_hop.items
    where item_id = $id
),

quoted as (
    select
        used.position,
        used.role,
        used.name,
        pairs.question,
        pairs.answer,
        pairs.evidence,
        pairs.paragraph_id
    from used
    inner join single_hop.qa_pairs as pairs on used.qa_id = pairs.qa_id
    union all
    select position, role, name, question, answer, evidence, paragraph_id
    from item_quotes
    where item_id = $id and item_id not in (select item_id from multi_hop.items)
)

select
    quoted.role,
    quoted.name,
    quoted.question,
    quoted.answer,
    quoted.evidence,
    sections.title as section,
    quoted.paragraph_id,
    paragraphs.text as paragraph
from quoted
left join corpus.paragraphs on quoted.paragraph_id = paragraphs.paragraph_id
left join corpus.sections on paragraphs.section_id = sections.section_id
order by quoted.position
