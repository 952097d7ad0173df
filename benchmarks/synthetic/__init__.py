"""A made-up corpus of any size, with a model and an encoder that cost nothing: the rest is to be measured."""
