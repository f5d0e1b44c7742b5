CREATE TABLE identity_collections (
  realm text PRIMARY KEY,
  claimed_at timestamptz NOT NULL DEFAULT '-infinity',
  collected_at timestamptz NOT NULL DEFAULT now(),
  login_until timestamptz,
  admin_until timestamptz
);
COMMENT ON TABLE identity_collections IS 'When an auth process last read the events of each realm in Keycloak; a claim shares the realms among the processes';
COMMENT ON COLUMN identity_collections.login_until IS 'Time of the last event that was read. Only for the realm console: hospitals have it in their own schema';

CREATE TABLE console_events (
  id uuid PRIMARY KEY,
  at timestamptz NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now(),
  actor text NOT NULL,
  actor_email text,
  action text NOT NULL,
  record text NOT NULL,
  record_id uuid,
  details jsonb NOT NULL,
  address text
);
CREATE INDEX console_events_at ON console_events (at);
COMMENT ON TABLE console_events IS 'What users of the platform did: logins and changes in the realm console, as Keycloak reported them to the auth module, and what they did in the module console. Rows are only added';

GRANT SELECT, INSERT, UPDATE ON identity_collections TO hms_auth;
GRANT SELECT, INSERT ON console_events TO hms_auth;
