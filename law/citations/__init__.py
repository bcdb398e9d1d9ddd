"""How a text cites, and how a provision is cited."""
