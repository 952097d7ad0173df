-- One row: a setting, and the means of its answers: the lexical judge's verdicts, token F1, ROUGE.
select
    if(setting = 'segments', 'full_text', setting) as setting,
    any_value(answers) as answers,
    max(value) filter (where measure = 'accuracy' and judge = 'lexical') as lexical_judge,
    max(value) filter (where measure = 'token_f1') as token_f1,
    max(value) filter (where measure = 'rouge1_f1') as rouge1_f1,
    max(value) filter (where measure = 'rouge2_f1') as rouge2_f1,
    max(value) filter (where measure = 'rouge_l') as rouge_l
from benchmark.answering_scores
group by all
order by rouge_l
