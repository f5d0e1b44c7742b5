ALTER TABLE hospitals ADD COLUMN settings jsonb NOT NULL DEFAULT '{}';
COMMENT ON COLUMN hospitals.settings IS 'What the hospital chooses about its own work, as in spec.settings of the Hospital object';
