-- Batches with a group that was made when a finding of it had another measure, or none. Later batches change no
-- name: a request for names had no reply, or the vocabulary was made anew.
select distinct members.batch
from findings.group_findings as members
left join findings.measured on members.finding_id = measured.quantity_id
where members.measure_id is distinct from measured.measure_id
