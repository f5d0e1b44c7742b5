CREATE TABLE known_objects (
  kind text CHECK (length(kind) <= 63),
  name text CHECK (length(name) <= 253),
  object jsonb NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (kind, name)
);
COMMENT ON TABLE known_objects IS 'Kubernetes objects of the platform as the module console last read them, for a start while the API server can not be reached';

GRANT SELECT, INSERT, UPDATE, DELETE ON known_objects TO hms_console;
