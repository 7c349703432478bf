"""The rank gate: T read where each class is pure, in one package."""
