-- One row: a batch and a kind of HopWeaver, with the number of versions of accepted items.
select
    versions.batch,
    versions.kind || if(versions.version = 'original', '_original', '') as variant,
    count(*) as items
from hopweaver.versions
group by all
order by 1, 2
