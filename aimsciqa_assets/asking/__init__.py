"""A model task as one object: prompt, inputs, form of the reply, and what to do with a bad one."""
