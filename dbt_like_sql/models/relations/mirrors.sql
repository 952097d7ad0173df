-- One row: a relation that no item is made of, because another one goes the other way on the same core pair of
-- the same variant: A to B and B to A are one fact. There are none with relations.mirrors = both.
-- Similarity is the same both ways, so that the two are mostly equally strong. Then that one is kept whose
-- source was ingested later, for the other one came when the first had its item already; then the one that
-- ranks better with its source; then the smaller id.
with ingested as (
    select batch, min(ingest) as ingest
    from corpus.input_files
    group by batch
),

ranked as (
    select
        relations.relation_id,
        relations.variant,
        relations.source_paper_id,
        relations.target_paper_id,
        row_number() over same_fact as place,
        first_value(relations.relation_id) over same_fact as kept_relation_id
    from relations.candidate_relations as relations
    left join ingested on relations.batch = ingested.batch
    where $relations__mirrors = 'stronger'
    window same_fact as (
        partition by
            relations.variant,
            least(relations.core_source_qa_id, relations.core_target_qa_id),
            greatest(relations.core_source_qa_id, relations.core_target_qa_id)
        order by round(relations.strength, 6) desc, ingested.ingest desc, relations.rank, relations.relation_id
    )
)

select relation_id, variant, source_paper_id, target_paper_id, kept_relation_id, 'mirror' as rejection_reason
from ranked
where place > 1
