CREATE TABLE audit_heads (
  hospital_id uuid PRIMARY KEY REFERENCES hospitals,
  position bigint NOT NULL,
  hash bytea NOT NULL,
  sealed_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE audit_heads IS 'End of each hospital''s audit chain, outside of its schema: shows when the end of a chain was cut off';

GRANT SELECT, INSERT, UPDATE ON audit_heads TO hms_app, hms_auth;
