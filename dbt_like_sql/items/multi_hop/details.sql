-- One row: what else is published of a released item of AIM-SciQA: its relation, the verdicts of its composer,
-- and the sentences in which the source of a citation-guided item cites its target and nothing else.
with released as (
    select split || '/' || item_id as key, item_id, variant, source_paper_id, target_paper_id
    from release.items
    where released and key >= $first and key < $before
),

cited as (
    select
        released.item_id,
        list(
            {
                'paragraph_id': mentions.paragraph_id,
                'sentence': mentions.sentence,
                'sentence_start': mentions.sentence_start,
                'sentence_end': mentions.sentence_end,
                'markers': mentions.markers
            }
            order by mentions.mention_id
        ) as citations
    from released
    inner join citation_guided.pairs
        on
            released.source_paper_id = pairs.source_paper_id
            and released.target_paper_id = pairs.target_paper_id
    inner join corpus.citation_mentions as mentions on pairs.mention_id = mentions.mention_id
    where released.variant = 'cim'
    group by released.item_id
)

select
    released.key,
    {
        'relation_id': items.relation_id,
        'section_similarity': relations.similarity,
        'core_qa_similarity': relations.strength,
        'rank': relations.rank
    } as relation,
    {
        'fluency': items.fluency,
        'completeness': items.completeness,
        'cross_reference_necessity': items.cross_reference_necessity,
        'relational_appropriateness': items.relational_appropriateness,
        'decision': items.decision,
        'decision_by_model': items.decision_by_model
    } as validation,
    coalesce(cited.citations, []) as citations
from released
inner join multi_hop.items on released.item_id = items.item_id
inner join relations.candidate_relations as relations on items.relation_id = relations.relation_id
left join cited on released.item_id = cited.item_id
order by released.key
