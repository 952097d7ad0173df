-- One row: a sentence in which the source of a released citation-guided item cites its target, and nothing
-- else.
select
    release_items.split || '/' || release_items.item_id as key,
    {
        'paragraph_id': mentions.paragraph_id,
        'sentence': mentions.sentence,
        'sentence_start': mentions.sentence_start,
        'sentence_end': mentions.sentence_end,
        'markers': mentions.markers
    } as citation
from release.items as release_items
inner join citation_guided.pairs
    on
        release_items.source_paper_id = pairs.source_paper_id
        and release_items.target_paper_id = pairs.target_paper_id
inner join corpus.citation_mentions as mentions on pairs.mention_id = mentions.mention_id
where release_items.released and release_items.variant = 'cim' and key >= $first and key < $before
order by key, mentions.mention_id
