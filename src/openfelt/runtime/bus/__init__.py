"""The bus: what the processes of one house tell and ask each other, none of it kept."""
