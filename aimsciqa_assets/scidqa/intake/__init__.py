"""Notes taken in: `listing` puts them into files, `choosing` finds the newest, `writing` writes them."""
