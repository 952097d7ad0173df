-- Every piece of evidence, and every citing sentence, is the text of its paper's paragraph between its
-- offsets.
select quotes.id, quotes.paragraph_id, quotes.quote
from quotes
left join corpus.paragraphs
    on quotes.paragraph_id = paragraphs.paragraph_id and quotes.paper_id = paragraphs.paper_id
where
    paragraphs.text is null
    or quotes.quote = ''
    or quotes.quote is distinct from substring(paragraphs.text, quotes.begins + 1, quotes.ends - quotes.begins)
