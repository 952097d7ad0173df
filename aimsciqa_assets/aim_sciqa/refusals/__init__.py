"""Beside stage 4: what stands against the pairs that the model refused to compose."""
