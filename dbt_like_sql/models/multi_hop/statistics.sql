-- One row: a variant and split with the figures of Table 3 of the AIM-SciQA paper. Lengths are in words.
with counted as (
    select
        splits.variant,
        splits.split,
        list_transform(
            [
                items.retrieval_question,
                items.inter_document_question,
                items.merged_question,
                items.inter_document_answer,
                items.merged_answer
            ],
            -- `translate` would take three times as long, a regular expression six times.
            lambda text:
                len(
                    list_filter(
                        string_split(
                            replace(replace(replace(replace(text, e'\t', ' '), e'\n', ' '), e'\f', ' '), e'\r', ' '),
                            ' '
                        ),
                        lambda word: word != ''
                    )
                )
        ) as words
    from multi_hop.splits
    inner join multi_hop.items on splits.item_id = items.item_id
)

select
    variant,
    split,
    count(*) as items,
    avg(words[1]) as retrieval_question_words,
    avg(words[2]) as inter_document_question_words,
    avg(words[3]) as merged_question_words,
    avg(words[4]) as inter_document_answer_words,
    avg(words[5]) as merged_answer_words
from counted
group by variant, split
