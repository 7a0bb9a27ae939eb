"""The croupier: permitted commands at a table, their consequences, and its automatic steps."""
