"""What chooses an answer: bots, planners and trained policies, found by name with `base.load`."""
