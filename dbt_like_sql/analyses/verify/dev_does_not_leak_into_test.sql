-- No dev item shares with a test item the source, both papers or a sentence of evidence, and no single-hop
-- pair of dev has evidence of a test item.
with test_papers as (
    select distinct source.paper_id as source_id, target.paper_id as target_id
    from multi_hop
    where split = 'test'
),

test_evidence as (
    select distinct qa.paragraph_id as paragraph_id, qa.evidence_start as begins, qa.evidence_end as ends
    from evidence
    where split = 'test'
),

dev_evidence as (
    select item_id as id, qa.paragraph_id as paragraph_id, qa.evidence_start as begins, qa.evidence_end as ends
    from evidence
    where split = 'dev'
    union all
    select qa_id, paragraph_id, evidence_start, evidence_end
    from single_hop
    where split = 'dev'
)

select item_id as id, 'the source of a test item' as shared
from multi_hop
where split = 'dev' and source.paper_id in (select source_id from test_papers)
union all
select multi_hop.item_id, 'both papers of a test item'
from multi_hop
inner join test_papers
    on multi_hop.source.paper_id = test_papers.target_id and multi_hop.target.paper_id = test_papers.source_id
where multi_hop.split = 'dev'
union all
select dev_evidence.id, 'evidence of a test item'
from dev_evidence
inner join test_evidence
    on
        dev_evidence.paragraph_id = test_evidence.paragraph_id
        and dev_evidence.begins < test_evidence.ends
        and test_evidence.begins < dev_evidence.ends
