-- What a suite is made of that is installed nowhere, such as one in a file: the run goes on from here.
ALTER TABLE run ADD COLUMN definition TEXT;
