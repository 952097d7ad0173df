"""What people decide on single items: accept, reject, edit, rate. The release obeys."""
