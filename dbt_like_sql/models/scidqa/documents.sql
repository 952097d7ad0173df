-- One row: a document that an accepted question of a review rests on. The first is the manuscript, in the version that
-- the answer is about, or in the other one where there is no such version; then come the papers that the question
-- cites. A question whose forum has no manuscript has no row.
with manuscripts as (
    select pairs.qa_id, pairs.forum_id, manuscripts.version, manuscripts.paper_id
    from scidqa.qa_pairs as pairs
    inner join scidqa.manuscripts as manuscripts on pairs.forum_id = manuscripts.forum_id
    where pairs.status = 'accepted'
    qualify
        row_number() over (
            partition by pairs.qa_id
            order by
                manuscripts.version <> if(pairs.version = 'revised', 'final', 'initial'),
                manuscripts.version
        ) = 1
)

select qa_id, forum_id, 1 as position, 'manuscript' as role, paper_id, version
from manuscripts
union all
select
    manuscripts.qa_id,
    manuscripts.forum_id,
    1 + row_number() over (partition by manuscripts.qa_id order by cited.paper_id) as position,
    'cited_' || row_number() over (partition by manuscripts.qa_id order by cited.paper_id) as role,
    cited.paper_id,
    null as version
from manuscripts
inner join scidqa.cited as cited on manuscripts.qa_id = cited.qa_id
where cited.paper_id <> manuscripts.paper_id
