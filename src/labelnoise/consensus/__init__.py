"""HOC and the paper's variants: T from the consensus of nearest neighbors."""
