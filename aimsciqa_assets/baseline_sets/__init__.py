"""Published sets beside our own items: HotpotQA, 2WikiMultihopQA and MuSiQue (docs/baseline-sets.md).

Their paragraphs become documents that are only searched and read. Their questions become items of kinds of
their own, which are evaluated like ours and never released.
"""
