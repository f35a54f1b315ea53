"""What a question asks, read with the chat before it."""
