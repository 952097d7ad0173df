-- One row: a quality judge and what the rule says of it, the best first.
select *
from benchmark.judge_choice
order by place nulls last, rejection_reason, judge
