-- checks: benchmark.rankings
-- A ranking of a retriever that has scores holds its candidates only, the first 50 of them, each once; its
-- rank is the place of the gold paper, which may be after these 50. (With several gold papers, the rank is
-- that of the first one.)
-- if it fails: the rankings of a retriever are older than the queries: materialize benchmark/rankings for
-- it, and what follows; `aimsciqa run` does that for every retriever of the settings.
with asked as (
    select
        rankings.*,
        queries.source_paper_id,
        queries.target_paper_id,
        case rankings.setting
            when 'cluster' then queries.cluster
            when 'random' then queries.random_cluster
        end as among
    from benchmark.rankings
    inner join benchmark.queries on rankings.item_id = queries.item_id
    where rankings.retriever in (select retriever from benchmark.retrieval_scores)
)

select retriever, item_id, setting, rank, candidates, papers
from asked
where
    len(papers) != least(50, candidates)
    or len(scores) != len(papers)
    or len(list_distinct(papers)) != len(papers)
    or list_contains(papers, source_paper_id)
    or (among is not null and (len(among) != candidates or not list_has_all(among, papers)))
    or rank not between 1 and candidates
    or (
        target_paper_id is not null
        and coalesce(list_position(papers, target_paper_id), 0) != if(rank <= 50, rank, 0)
    )
