-- One row: a reviewed item, with the latest decision of each reviewer.
select
    item_id,
    list({'reviewer': reviewer, 'decision': coalesce(decision, 'undecided')} order by reviewer) as reviews
from shared_latest_reviews
group by item_id
