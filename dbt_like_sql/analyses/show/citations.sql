-- One row: a sentence in which the source of a citation-guided item cites its target and nothing else.
select mentions.sentence, mentions.paragraph_id
from multi_hop.items
inner join citation_guided.pairs
    on items.source_paper_id = pairs.source_paper_id and items.target_paper_id = pairs.target_paper_id
inner join corpus.citation_mentions as mentions on pairs.mention_id = mentions.mention_id
where items.item_id = $id and items.variant = 'cim'
order by mentions.mention_id
