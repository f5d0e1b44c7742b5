-- append-only: audit_events
CREATE TABLE audit_events (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hospital_id own_hospital_id,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor text NOT NULL,
  actor_email text,
  actor_roles text[] NOT NULL,
  impersonator text,
  impersonator_email text,
  impersonation_id uuid,
  action text NOT NULL,
  record text NOT NULL,
  record_id uuid,
  patient_id uuid,
  before jsonb,
  after jsonb,
  details jsonb,
  address text,
  request_id uuid
);
CREATE INDEX audit_events_patient ON audit_events (patient_id, seq) WHERE patient_id IS NOT NULL;
CREATE INDEX audit_events_at ON audit_events (at, seq);
CREATE INDEX audit_events_shown ON audit_events USING gin ((details -> 'ids') jsonb_path_ops) WHERE action = 'list';
CREATE INDEX audit_events_impersonation ON audit_events (impersonation_id, seq) WHERE impersonation_id IS NOT NULL;
CREATE INDEX audit_events_record ON audit_events (record_id, seq) WHERE record_id IS NOT NULL;
-- An event of Keycloak is recorded once, however often it is read.
CREATE UNIQUE INDEX audit_events_keycloak ON audit_events ((details ->> 'keycloakEvent')) WHERE details ->> 'keycloakEvent' IS NOT NULL;
COMMENT ON TABLE audit_events IS 'Who did what to which record. Rows are only added';
COMMENT ON COLUMN audit_events.impersonator IS 'Id of the account in the realm console of who acted as the actor';

-- append-only: audit_chain
CREATE TABLE audit_chain (
  position bigint PRIMARY KEY,
  hospital_id own_hospital_id,
  event_seq bigint NOT NULL UNIQUE,
  hash bytea NOT NULL,
  sealed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX audit_chain_sealed_at ON audit_chain (sealed_at);
COMMENT ON TABLE audit_chain IS 'Each sealed event with a hash of it and of the hash before it. Rows are only added';

-- append-only: audit_summaries
CREATE TABLE audit_summaries (
  last_position bigint PRIMARY KEY,
  hospital_id own_hospital_id,
  first_position bigint NOT NULL,
  before timestamptz NOT NULL,
  summary text NOT NULL,
  kid text NOT NULL,
  signature text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE audit_summaries IS 'Parts of the chain that were removed because they were older than the hospital keeps them, each signed by the auth module';

CREATE TABLE identity_cursors (
  kind text PRIMARY KEY CHECK (kind IN ('login', 'admin')),
  hospital_id own_hospital_id,
  until timestamptz NOT NULL
);
COMMENT ON TABLE identity_cursors IS 'Time of the last event of each kind that was read from Keycloak, written by the transaction that recorded it';
