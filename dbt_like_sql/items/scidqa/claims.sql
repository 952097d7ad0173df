-- A published question of a review has one manuscript in hand and its place in a note, as its answer has, and the
-- licences of both notes allow that texts made from them are passed on.
with places as (
    select item_id, unnest([question_quote, answer_quote]) as place
    from scidqa
)

select item_id, 'not one manuscript in hand' as problem
from scidqa
where len(list_filter(documents, lambda document: document.in_hand)) <> 1
union all
select item_id, 'no place in ' || place.note_id
from places
where place.note_id = '' or place.start < 0 or place.start >= place.end
union all
select places.item_id, 'the licence of note ' || places.place.note_id || ': ' || places.place.licence
from places
left join shared_licences as known on places.place.licence = known.licence
where not $release__any_licence and (known.licence is null or known.rejection_reason is not null)
