"""The authors' files of SciDQA, read and written."""
