-- One row: a word of the kept QA pairs, in lower case, and how many papers have it there.
with words as (
    select distinct
        paper_id,
        unnest(regexp_extract_all(lower(question || ' ' || answer), '[\p{L}\p{N}]+(?:[-''’.][\p{L}\p{N}]+)*')) as word
    from single_hop.qa_pairs
    where status = 'kept'
)

select word, count(*) as papers
from words
group by word
order by word
