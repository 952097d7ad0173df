-- checks: benchmark.ratings
-- A rating is a word of its dimension's scale, or it says why there is none.
-- if it fails: the table was changed by hand, or is of another version of this program. Run
-- `aimsciqa reset --from benchmark --yes`, then `aimsciqa run`: no judge is paid again, and the ratings of
-- people stay.
select judge, item_id, run, dimension, score, rejection_reason
from benchmark.ratings
where
    (score is null) != (rejection_reason is not null)
    or score not between if(dimension = 'multi_hop', 0, 1) and if(dimension = 'multi_hop', 1, 5)
