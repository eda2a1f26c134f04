"""What other tools read and write."""
