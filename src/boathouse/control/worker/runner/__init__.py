"""The process that carries out attempts: told what to do by its input, and gone when that ends or falls silent."""
