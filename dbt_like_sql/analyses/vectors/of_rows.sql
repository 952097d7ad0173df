-- One row: the vector of a row number in $rows.
select
    embeddings.rowid as row,
    embeddings.vector
from relations.embeddings as embeddings
semi join (
    select unnest($rows::bigint[]) as row
) as wanted on embeddings.rowid = wanted.row
