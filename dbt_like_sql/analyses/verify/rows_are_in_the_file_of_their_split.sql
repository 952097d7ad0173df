-- The split of a row is that of the file it stands in.
select item_id as id, split, filename from items where split || '.parquet' <> parse_filename(filename)
union all
select qa_id, split, filename from single_hop where split || '.parquet' <> parse_filename(filename)
