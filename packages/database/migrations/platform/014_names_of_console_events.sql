ALTER TABLE console_events ADD COLUMN actor_name text;
COMMENT ON COLUMN console_events.actor_name IS 'First and last name of the account at that time';
