"""Tables as viewers see them: rooms, views, the lobby and absent players."""
