"""EXTRACTOR: models make examples from the paper store, and trajectories on them (AirQA, section 3).

`quotas` says how many of what are wanted, `exploring` asks a question about something, `tracking` makes an
example of it, `trying` is the dialogue of both, `filters` what an example must be, `merging` makes multiple
examples of singles, `making` all of them round by round, and `acting` the trajectories.

Then agents are trained on these: `trajectories` is the way to an answer, `windows` cuts it into samples,
`messages` writes them, `exporting` puts them into a folder with `card` and `statistics`, `recipe` is how a
model is trained on it, and `training` does that.
"""
