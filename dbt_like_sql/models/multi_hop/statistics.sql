-- One row: a variant and split with the figures of Table 3 of the AIM-SciQA paper. Lengths are in words.
-- Beside them stands how many facts the items rest on: A to B and B to A on one core pair are one.
with described as (
    select
        splits.variant,
        splits.split,
        least(items.core_source_qa_id, items.core_target_qa_id)
        || ' ' || greatest(items.core_source_qa_id, items.core_target_qa_id) as core_pair,
        count(*) over (partition by splits.variant, core_pair) > 1 as mirrored,
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
),

dropped as (
    select variant, count(*) as mirrors
    from relations.mirrors
    group by variant
)

select
    described.variant,
    described.split,
    count(*) as items,
    count(distinct described.core_pair) as core_pairs,
    count(*) filter (where described.mirrored) as mirrored_items,
    coalesce(any_value(dropped.mirrors), 0) as dropped_mirrors,
    avg(described.words[1]) as retrieval_question_words,
    avg(described.words[2]) as inter_document_question_words,
    avg(described.words[3]) as merged_question_words,
    avg(described.words[4]) as inter_document_answer_words,
    avg(described.words[5]) as merged_answer_words
from described
left join dropped on described.variant = dropped.variant
group by described.variant, described.split
