"""Who answers: models and sentences of the passages, one after another."""
