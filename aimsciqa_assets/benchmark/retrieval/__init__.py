"""The retrieval benchmark (section 5.1, Table 6): does a retriever find the paper that an item asks for?

`queries` says what is asked and among which papers, `notation` how the settings write a retriever,
`retrievers` what these are, `documents` what stands for a paper, `rankings` where the gold paper comes in,
`measures` what that is worth, `scores` how sure one can be of it.
"""
