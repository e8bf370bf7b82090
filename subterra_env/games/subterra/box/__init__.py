"""What is in the box (rulebook, chapter 1): data only."""
