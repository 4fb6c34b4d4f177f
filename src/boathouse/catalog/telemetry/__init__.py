"""What the catalog tells about itself: metrics and traces. Every layer may import it."""
