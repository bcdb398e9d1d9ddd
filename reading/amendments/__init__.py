"""What amending acts say, and what they make of the acts that they change."""
