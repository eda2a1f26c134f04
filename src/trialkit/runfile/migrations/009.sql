-- What a case is marked with, a list of texts.
ALTER TABLE cases ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
