"""Reading and showing strangers' text: JSON, CSV, short forms, numbers."""
