"""The bus: messages and requests between processes that share a database; none is stored."""
