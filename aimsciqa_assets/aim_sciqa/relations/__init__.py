"""Stage 3: papers are related by their questions: section similarity, clusters, retrieval questions."""
