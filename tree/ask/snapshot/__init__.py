"""What one question sees, the steps it takes, and the answer they end in."""
