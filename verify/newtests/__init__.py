"""New tests for a task, as plain pytest files: inputs on which buggy program and reference differ, and boundaries."""
