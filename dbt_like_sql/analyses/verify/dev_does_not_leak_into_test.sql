-- No dev item shares with a test item a paper in hand, all papers or, with multi_hop.kept_apart = evidence, a
-- sentence of evidence, and no single-hop pair of dev has evidence of a test item.
with test_evidence as (
    select distinct paragraph_id, evidence_start as begins, evidence_end as ends
    from evidence
    where split = 'test'
),

dev_evidence as (
    select item_id as id, paragraph_id, evidence_start as begins, evidence_end as ends
    from evidence
    where split = 'dev' and $multi_hop__kept_apart = 'evidence'
    union all
    select qa_id, paragraph_id, evidence_start, evidence_end
    from single_hop
    where split = 'dev'
),

whole as (
    select
        item_id,
        split,
        list_sort(list_distinct(list_transform(documents, lambda document: document.paper_id))) as papers
    from items
)

select item_id as id, 'the source of a test item' as shared
from documents
where
    split = 'dev'
    and in_hand
    and paper_id in (select paper_id from documents where split = 'test' and in_hand)
union all
select item_id, 'all papers of a test item'
from whole
where split = 'dev' and papers in (select papers from whole where split = 'test')
union all
select dev_evidence.id, 'evidence of a test item'
from dev_evidence
inner join test_evidence
    on
        dev_evidence.paragraph_id = test_evidence.paragraph_id
        and dev_evidence.begins < test_evidence.ends
        and test_evidence.begins < dev_evidence.ends
