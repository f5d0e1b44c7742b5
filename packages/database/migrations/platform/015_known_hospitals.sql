CREATE TABLE known_hospitals (
  prefix text PRIMARY KEY CHECK (length(prefix) <= 63),
  object jsonb NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE known_hospitals IS 'The Hospital objects as the module console last read them, for a start while the API server can not be reached';

GRANT SELECT, INSERT, UPDATE, DELETE ON known_hospitals TO hms_console;
