-- One row: a sentence that names exactly one reference, and that reference is an admitted paper of the corpus
-- (AIM-SciQA, section 4.3, citation-guided relation construction).
with resolved as (
    select citing_paper_id, cited_paper_id, unnest(reference_ids) as reference_id
    from corpus.citation_edges
)

select
    mentions.mention_id,
    mentions.paper_id as source_paper_id,
    resolved.cited_paper_id as target_paper_id,
    resolved.reference_id,
    mentions.section_id,
    mentions.sentence
from corpus.citation_mentions as mentions
inner join resolved
    on mentions.paper_id = resolved.citing_paper_id and mentions.reference_ids[1] = resolved.reference_id
semi join corpus.admitted_papers as admitted on resolved.cited_paper_id = admitted.paper_id
where
    mentions.is_single
    and mentions.paper_id not in (select paper_id from corpus.papers where article_type = 'manuscript')
