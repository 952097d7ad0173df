-- One row: an accepted item, and whether it may be released; if not, why: the licence of its source or
-- target, a quality gate of settings.release.gates that it failed, or that it leaks into test. A dev item
-- does that when it shares with a released test item, of either variant, the source paper, both papers, or a
-- sentence of evidence.
with accepted as (
    select
        splits.item_id,
        splits.variant,
        splits.split,
        items.source_paper_id,
        items.target_paper_id,
        [items.core_source_qa_id, items.core_target_qa_id, items.retrieval_qa_id] as qa_ids
    from multi_hop.splits
    inner join multi_hop.items on splits.item_id = items.item_id
),

failed as (
    select item_id, min(gate) as gate
    from benchmark.gates
    where verdict = 'fail' and gate in (select unnest(string_split($release__gates, ' ')))
    group by item_id
),

judged as (
    select
        accepted.*,
        case
            when source.paper_id is null then 'source_gone'
            when not source.releasable then 'source_' || source.rejection_reason
            when target.paper_id is null then 'target_gone'
            when not target.releasable then 'target_' || target.rejection_reason
            when failed.gate is not null then 'failed_' || failed.gate
        end as reason
    from accepted
    left join corpus.releasable_papers as source on accepted.source_paper_id = source.paper_id
    left join corpus.releasable_papers as target on accepted.target_paper_id = target.paper_id
    left join failed on accepted.item_id = failed.item_id
),

candidates as (
    select * from judged where reason is null
),

evidence as (
    select used.item_id, used.split, pairs.paragraph_id, pairs.evidence_start, pairs.evidence_end
    from (select item_id, split, unnest(qa_ids) as qa_id from candidates) as used
    inner join single_hop.qa_pairs as pairs on used.qa_id = pairs.qa_id
),

leaking as (
    select dev.item_id
    from evidence as dev
    inner join evidence as test
        on
            dev.paragraph_id = test.paragraph_id
            and dev.evidence_start < test.evidence_end
            and test.evidence_start < dev.evidence_end
    where dev.split = 'dev' and test.split = 'test'
    union
    select item_id
    from candidates
    where
        split = 'dev'
        and source_paper_id in (select source_paper_id from candidates where split = 'test')
    union
    -- The same two papers the other way round; the same way round they have the same source.
    select dev.item_id
    from candidates as dev
    inner join candidates as test
        on dev.source_paper_id = test.target_paper_id and dev.target_paper_id = test.source_paper_id
    where dev.split = 'dev' and test.split = 'test'
),

decided as (
    select
        judged.*,
        coalesce(judged.reason, case when leaking.item_id is not null then 'leaks_into_test' end) as rejection_reason
    from judged
    left join leaking on judged.item_id = leaking.item_id
)

select
    item_id,
    variant,
    split,
    source_paper_id,
    target_paper_id,
    rejection_reason is null as released,
    rejection_reason
from decided
