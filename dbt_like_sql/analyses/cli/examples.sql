-- One row: one of two accepted items (one of each variant where there are both), with papers and evidence.
with ranked as (
    select
        items.*,
        row_number() over (partition by items.variant order by relations.strength desc, items.item_id) as place
    from multi_hop.items
    inner join relations.candidate_relations as relations on items.relation_id = relations.relation_id
    where items.status = 'accepted'
)

select
    ranked.merged_question,
    ranked.merged_answer,
    ranked.retrieval_question,
    source.title || ' (' || source.paper_id || ')' as source,
    source_pair.evidence as source_evidence,
    target.title || ' (' || target.paper_id || ')' as target,
    target_pair.evidence as target_evidence,
    (select count(*) from relations.clusters where relation_id = ranked.relation_id)
    || ' papers, variant ' || ranked.variant as cluster
from ranked
inner join corpus.papers as source on ranked.source_paper_id = source.paper_id
inner join corpus.papers as target on ranked.target_paper_id = target.paper_id
inner join single_hop.qa_pairs as source_pair on ranked.core_source_qa_id = source_pair.qa_id
inner join single_hop.qa_pairs as target_pair on ranked.core_target_qa_id = target_pair.qa_id
qualify row_number() over (partition by ranked.target_paper_id order by ranked.place, ranked.variant desc) = 1
order by ranked.place, ranked.variant desc
limit 2
