-- Where a trial goes on from: a step of another run's, whose replies it begins with.
ALTER TABLE trials ADD COLUMN origin TEXT;
