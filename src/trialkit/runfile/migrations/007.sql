-- The parameters of its request that the model does not take, and that were left out for it.
ALTER TABLE calls ADD COLUMN left_out TEXT NOT NULL DEFAULT '';
