-- One row: an item of $ids as a judge sees it: of each document the title, and the paragraph of its first quote.
with chosen as (
    select unnest($ids::varchar[]) as item_id
),

quoted as (
    select quotes.item_id, quotes.role, arg_min(paragraphs.text, quotes.position) as paragraph
    from item_quotes as quotes
    semi join chosen on quotes.item_id = chosen.item_id
    inner join corpus.paragraphs on quotes.paragraph_id = paragraphs.paragraph_id
    group by quotes.item_id, quotes.role
),

documents as (
    select
        documents.item_id,
        list(
            { 'title': coalesce(papers.title, documents.paper_id), 'paragraph': coalesce(quoted.paragraph, '') } order by documents.position
        ) as documents
    from item_documents as documents
    semi join chosen on documents.item_id = chosen.item_id
    left join corpus.papers on documents.paper_id = papers.paper_id
    left join quoted on documents.item_id = quoted.item_id and documents.role = quoted.role
    group by documents.item_id
)

select questions.item_id, questions.model, questions.question, questions.answer, documents.documents
from item_questions as questions
inner join documents on questions.item_id = documents.item_id
order by questions.item_id
