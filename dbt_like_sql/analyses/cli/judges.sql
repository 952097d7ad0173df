-- One row: a quality judge, its reliability, and whether the rule chooses it.
select
    judge,
    krippendorff_alpha as alpha,
    fleiss_kappa as kappa,
    average_sd as "SD",
    if(chosen, 'yes', rejection_reason) as chosen,
    if(counts, 'yes', 'no') as counts
from benchmark.judge_choice
order by place nulls last, rejection_reason, judge
