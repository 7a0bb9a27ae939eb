"""The server: HTTP, websockets, sign-in, and what each viewer may see."""
