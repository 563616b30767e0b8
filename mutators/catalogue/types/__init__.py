"""Types and signatures that no longer agree with their use."""
