-- One row: a bridge or comparison question as it was made, with what the polisher said of it, the steps that led
-- to it, and both documents.
with texts as (
    select papers.paper_id, papers.title, string_agg(paragraphs.text, ' ' order by sections.position,
        paragraphs.position) as content
    from corpus.papers
    inner join corpus.paragraphs on papers.paper_id = paragraphs.paper_id
    inner join corpus.sections on paragraphs.section_id = sections.section_id
    where paragraphs.kind = 'text'
    group by papers.paper_id, papers.title
)

select
    attempts.kind,
    attempts.paper_id as first_paper_id,
    first_texts.title as first_title,
    first_texts.content as first_content,
    attempts.second_paper_id,
    second_texts.title as second_title,
    second_texts.content as second_content,
    attempts.entity_a,
    attempts.entity_b,
    attempts.attribute,
    attempts.question,
    attempts.answer,
    attempts.reasoning_path,
    attempts.question_1,
    attempts.answer_1,
    attempts.question_2,
    attempts.answer_2,
    attempts.first_passage,
    attempts.second_passage,
    bridges.entity_type,
    bridges.query,
    candidates.connection,
    candidates.reasoning_path as analysis_path,
    comparisons.first_paragraph,
    comparisons.second_paragraph,
    items.polisher_status,
    items.polisher_reason,
    items.polisher_reply,
    items.question as polished_question,
    items.answer as polished_answer,
    items.reasoning_path as polished_path,
    items.first_passage as polished_first_passage,
    items.second_passage as polished_second_passage
from hopweaver.attempts
inner join texts as first_texts on attempts.paper_id = first_texts.paper_id
inner join texts as second_texts on attempts.second_paper_id = second_texts.paper_id
inner join hopweaver.candidates
    on attempts.attempt_id = candidates.attempt_id and candidates.outcome = 'chosen'
left join hopweaver.bridges on attempts.attempt_id = bridges.attempt_id
left join hopweaver.comparisons on attempts.attempt_id = comparisons.attempt_id
left join hopweaver.items on attempts.attempt_id = items.attempt_id
where attempts.status = 'drafted'
order by attempts.kind, attempts.attempt_id
