-- One row: a paper batch with what tells how many requests about its reviews there will be at most: kept discussions
-- with the characters of their notes; questions, which are accepted pairs or else the sentences that ask something;
-- those of them that have a manuscript, and such manuscripts by version.
with discussions as (
    select
        batch,
        discussion_id,
        forum_id,
        review_note_id,
        list_append(reply_note_ids, review_note_id) as note_ids
    from scidqa.discussions
    where status = 'kept'
),

characters as (
    select noted.batch, sum(length(notes.text)) as characters
    from (select batch, unnest(note_ids) as note_id from discussions) as noted
    inner join scidqa.notes as notes on noted.note_id = notes.note_id
    group by noted.batch
),

questions as (
    select batch, forum_id, count(*) as questions
    from scidqa.qa_pairs
    where status = 'accepted'
    group by batch, forum_id
    union all
    select discussions.batch, discussions.forum_id, count(*)
    from discussions
    inner join scidqa.requests as requests on discussions.review_note_id = requests.note_id
    where discussions.batch not in (select batch from scidqa.extractions)
    group by discussions.batch, discussions.forum_id
),

versions as (
    select
        forum_id,
        count(*) filter (where version = 'initial') as initial,
        count(*) filter (where version = 'final' and not same_as_initial) as final
    from scidqa.manuscripts
    group by forum_id
)

select
    counted.batch,
    counted.discussions,
    coalesce(characters.characters, 0)::bigint as characters,
    coalesce(sum(questions.questions), 0)::bigint as questions,
    coalesce(sum(questions.questions) filter (where versions.forum_id is not null), 0)::bigint as with_manuscript,
    coalesce(sum(questions.questions * versions.initial), 0)::bigint as initial,
    coalesce(sum(questions.questions * versions.final), 0)::bigint as final
from (select batch, count(*) as discussions from discussions group by batch) as counted
left join characters on counted.batch = characters.batch
left join questions on counted.batch = questions.batch
left join versions on questions.forum_id = versions.forum_id
group by counted.batch, counted.discussions, characters.characters
order by counted.batch
