"""What both benchmarks have: the database, the calculator, the score and the reasons for it."""
