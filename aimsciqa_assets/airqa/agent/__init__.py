"""The agent of AirQA: a dialogue in which a model acts, observes what came of it, and answers in the end.

`loop` is the dialogue, `telling` what a turn is shown of those before it, `turns` what is kept of a turn and
of an answer, `questions` what is told of an example, `carrying_out` how an action is carried out only once.
"""
