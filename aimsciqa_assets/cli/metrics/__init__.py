"""`aimsciqa metrics`: figures of a home for Prometheus.

`declared` lists every metric once, `sources` reads their values, `collecting` puts both into the form that
Prometheus reads, `command` prints or serves them.
"""
