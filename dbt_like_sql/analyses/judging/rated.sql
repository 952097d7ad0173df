-- One row: an item of $ids as judges may see it. Of each document: the title, the paragraph of its first quote, the
-- segment and the facts that the item rests on.
with chosen as (
    select unnest($ids::varchar[]) as item_id
),

quoted as (
    select
        quotes.item_id,
        quotes.role,
        arg_min(paragraphs.text, quotes.position) as paragraph,
        list(quotes.evidence order by quotes.position) as evidence
    from item_quotes as quotes
    semi join chosen on quotes.item_id = chosen.item_id
    inner join corpus.paragraphs on quotes.paragraph_id = paragraphs.paragraph_id
    group by quotes.item_id, quotes.role
),

documents as (
    select
        documents.item_id,
        list(
            {
                'paper_id': documents.paper_id,
                'title': coalesce(papers.title, documents.paper_id),
                'paragraph': coalesce(quoted.paragraph, ''),
                'segment': coalesce(passages.segment, quoted.paragraph, ''),
                'facts': if(passages.fact is null, coalesce(quoted.evidence, []), [passages.fact])
            } order by documents.position
        ) as documents
    from item_documents as documents
    semi join chosen on documents.item_id = chosen.item_id
    left join corpus.papers on documents.paper_id = papers.paper_id
    left join quoted on documents.item_id = quoted.item_id and documents.role = quoted.role
    left join item_passages as passages
        on documents.item_id = passages.item_id and documents.role = passages.role
    group by documents.item_id
)

select
    questions.item_id,
    questions.variant,
    questions.model,
    questions.question,
    questions.answer,
    documents.documents
from item_questions as questions
inner join documents on questions.item_id = documents.item_id
order by questions.item_id
