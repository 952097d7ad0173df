import pytest

from aimsciqa_assets.metrics.bertscore import BertScore, NoBertScoreError


def test_bert_score_says_in_one_line_why_there_is_none():
    with pytest.raises(NoBertScoreError) as error:
        BertScore("nobody/has-this-model")
    assert "\n" not in str(error.value)
