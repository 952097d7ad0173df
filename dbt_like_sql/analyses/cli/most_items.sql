-- One row: a batch and a variant, with what tells how many items there will be at most: papers that may be sources,
-- relations, those that a model is asked about, and accepted items.
with sources as (
    select
        papers.batch,
        papers.paper_id,
        papers.paper_id in (select source_paper_id from citation_guided.pairs) as cites
    from corpus.papers
    inner join corpus.source_papers on papers.paper_id = source_papers.paper_id
    where source_papers.eligible
)

select
    files.batch,
    variants.variant,
    (
        select count(*) from sources
        where batch = files.batch and (variants.variant = 'im' or cites)
    ) as sources,
    (
        select count(*) from relations.candidate_relations
        where batch = files.batch and variant = variants.variant
    ) as relations,
    (
        select count(*) from relations.candidate_relations
        where
            batch = files.batch
            and variant = variants.variant
            and relation_id not in (select relation_id from relations.mirrors)
    ) as asked_about,
    (
        select count(*) from multi_hop.items
        where batch = files.batch and variant = variants.variant and status = 'accepted'
    ) as accepted
from (select distinct batch from corpus.input_files) as files
cross join (values ('im'), ('cim')) as variants (variant)
order by files.batch, variants.variant
