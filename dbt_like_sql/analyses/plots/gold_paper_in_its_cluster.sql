-- plots: benchmark.retrieval_scores
-- Queries by the place of the gold paper in its cluster, for each retriever.
with places as (
    select
        retriever,
        case
            when rank = 1 then '1'
            when rank <= 3 then '2-3'
            when rank <= 5 then '4-5'
            when rank <= 10 then '6-10'
            else 'later'
        end as place
    from benchmark.rankings
    where setting = 'cluster'
)

select place, count(*) as rows, retriever
from places
group by place, retriever
order by list_position(['1', '2-3', '4-5', '6-10', 'later'], place), retriever
