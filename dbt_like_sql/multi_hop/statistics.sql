-- One row: a variant and split with the figures of Table 3 of the AIM-SciQA paper. Lengths are in words.
with words as (
    select
        splits.variant,
        splits.split,
        len(regexp_extract_all(items.retrieval_question, '\S+')) as retrieval_question,
        len(regexp_extract_all(items.inter_document_question, '\S+')) as inter_document_question,
        len(regexp_extract_all(items.merged_question, '\S+')) as merged_question,
        len(regexp_extract_all(items.inter_document_answer, '\S+')) as inter_document_answer,
        len(regexp_extract_all(items.merged_answer, '\S+')) as merged_answer
    from multi_hop.splits
    inner join multi_hop.items on splits.item_id = items.item_id
)

select
    variant,
    split,
    count(*) as items,
    avg(retrieval_question) as retrieval_question_words,
    avg(inter_document_question) as inter_document_question_words,
    avg(merged_question) as merged_question_words,
    avg(inter_document_answer) as inter_document_answer_words,
    avg(merged_answer) as merged_answer_words
from words
group by variant, split
