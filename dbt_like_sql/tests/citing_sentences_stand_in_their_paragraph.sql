-- checks: corpus.citation_mentions
-- The sentence of a citation mention equals the text of its paragraph between its offsets.
-- if it fails: mentions and paragraphs come from different readings of a file. Run `aimsciqa reset --from
-- corpus --yes`, then `aimsciqa run`: the ingested files and the replies stay.
select mentions.mention_id, mentions.sentence
from corpus.citation_mentions as mentions
left join corpus.paragraphs on mentions.paragraph_id = paragraphs.paragraph_id
where
    mentions.sentence
    is distinct from substring(
        paragraphs.text, mentions.sentence_start + 1, mentions.sentence_end - mentions.sentence_start
    )
