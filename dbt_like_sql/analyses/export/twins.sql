-- One row: the unanswerable twin of a released item, where its other document may be released, too.
with documents as (
    select documents.item_id, documents.position, documents.role, coalesce(twins.twin_paper_id, documents.paper_id) as paper_id
    from item_documents as documents
    left join quality.twins as twins
        on documents.item_id = twins.item_id and documents.role = twins.role
    semi join quality.twins as with_twin on documents.item_id = with_twin.item_id
)

select
    twins.item_id,
    questions.variant,
    questions.split,
    questions.question,
    twins.role as replaced,
    twins.paper_id as replaced_paper_id,
    twins.twin_paper_id,
    list(documents.paper_id order by documents.position) as papers
from quality.twins
inner join item_questions as questions on twins.item_id = questions.item_id
inner join release.items as release_items on twins.item_id = release_items.item_id
inner join corpus.releasable_papers as releasable on twins.twin_paper_id = releasable.paper_id
inner join documents on twins.item_id = documents.item_id
where release_items.released and releasable.releasable
group by all
order by questions.split, twins.item_id
