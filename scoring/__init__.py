"""What happened: seasons, games, hands and their scores."""
