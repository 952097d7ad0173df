-- One row: a quote that a released item rests on, with the paragraph that it stands in; without a text where
-- the quote or its paragraph is gone.
select
    release_items.split || '/' || release_items.item_id as key,
    quotes.role,
    {
        'name': quotes.name,
        'qa_id': quotes.quote_id,
        'section': sections.title,
        'section_kind': sections.kind,
        'question': quotes.question,
        'answer': quotes.answer,
        'evidence': quotes.evidence,
        'paragraph_id': quotes.paragraph_id,
        'evidence_start': quotes.evidence_start,
        'evidence_end': quotes.evidence_end
    } as quote,
    paragraphs.text
from release.items as release_items
inner join item_quotes as quotes on release_items.item_id = quotes.item_id
left join corpus.paragraphs on quotes.paragraph_id = paragraphs.paragraph_id
left join corpus.sections on paragraphs.section_id = sections.section_id
where release_items.released and key >= $first and key < $before
order by key, quotes.position
