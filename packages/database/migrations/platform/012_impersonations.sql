CREATE TABLE impersonations (
  id uuid PRIMARY KEY,
  hospital_id uuid NOT NULL REFERENCES hospitals,
  subject text NOT NULL CHECK (length(subject) <= 64),
  subject_email text NOT NULL,
  subject_name text,
  actor text NOT NULL CHECK (length(actor) <= 64),
  actor_email text NOT NULL,
  actor_name text,
  mode text NOT NULL CHECK (mode IN ('read', 'write')),
  reason text NOT NULL CHECK (length(reason) BETWEEN 10 AND 500),
  started_at timestamptz NOT NULL DEFAULT now(),
  ends_at timestamptz NOT NULL CHECK (ends_at <= started_at + interval '15 minutes'),
  recorded_at timestamptz,
  ended_at timestamptz,
  ended_by text,
  ended_by_name text,
  code_hash bytea,
  code_expires_at timestamptz NOT NULL,
  key_hash bytea
);
-- Whoever begins another one ends the one before.
CREATE UNIQUE INDEX impersonations_one_each ON impersonations (actor) WHERE ended_at IS NULL;
CREATE INDEX impersonations_hospital ON impersonations (hospital_id, started_at);
COMMENT ON TABLE impersonations IS 'When somebody of the platform acted as somebody of a hospital, and why. Without ended_at, it ends at ends_at';
COMMENT ON COLUMN impersonations.subject IS 'Id of the account in the hospital''s realm, as whom the actor acts';
COMMENT ON COLUMN impersonations.subject_name IS 'First and last name, if the account has one. So are the other names';
COMMENT ON COLUMN impersonations.actor IS 'Id of the account in the realm console';
COMMENT ON COLUMN impersonations.recorded_at IS 'When the start was in the audit log of the hospital. There are no tokens before';
COMMENT ON COLUMN impersonations.ended_by IS 'Address of the person who ended it. Null: it expired, or was refused';
COMMENT ON COLUMN impersonations.code_hash IS 'SHA-256 of the code with which a browser takes it over, until it is used';
COMMENT ON COLUMN impersonations.key_hash IS 'SHA-256 of the key with which that browser gets further tokens';

CREATE TABLE impersonation_tokens (
  jti text PRIMARY KEY CHECK (length(jti) <= 100),
  impersonation_id uuid NOT NULL REFERENCES impersonations ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX impersonation_tokens_impersonation ON impersonation_tokens (impersonation_id);
COMMENT ON TABLE impersonation_tokens IS 'To which impersonation each access token belongs. Modules accept no other token of the client hms-impersonation';

GRANT SELECT, INSERT, UPDATE ON impersonations TO hms_auth;
GRANT SELECT, INSERT, DELETE ON impersonation_tokens TO hms_auth;
-- Not the reason and the hashes.
GRANT SELECT (id, hospital_id, subject, actor, actor_email, mode, ends_at, ended_at) ON impersonations TO hms_app;
GRANT SELECT ON impersonation_tokens TO hms_app;
