"""The bus: messages and requests between the processes of one house, none of them stored."""
