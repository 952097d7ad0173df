-- One row: an item with the papers among which its own are looked for.
select item_id, list(paper_id order by paper_id) as papers
from item_pools
group by item_id
