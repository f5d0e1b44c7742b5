ALTER TABLE hospitals ADD COLUMN second_factor text NOT NULL DEFAULT 'None' CHECK (second_factor IN ('None', 'Email'));
COMMENT ON COLUMN hospitals.second_factor IS 'What a login requires after the password, as in spec.identity.secondFactor of the Hospital object';

CREATE TABLE login_challenges (
  -- The client's token is not stored, only its SHA-256.
  token_hash bytea PRIMARY KEY,
  realm text NOT NULL,
  purpose text NOT NULL CHECK (purpose IN ('login', 'password')),
  account_key text NOT NULL,
  code_mac bytea NOT NULL,
  waiting text NOT NULL,
  attempts smallint NOT NULL DEFAULT 0,
  mails smallint NOT NULL DEFAULT 1,
  mailed_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  claimed_at timestamptz
);
CREATE INDEX login_challenges_expires ON login_challenges (expires_at);
COMMENT ON TABLE login_challenges IS 'Logins with the right password that wait for the e-mailed code, and requests of people who forgot theirs. The auth module deletes a row when it is complete, or some minutes after it has expired';
COMMENT ON COLUMN login_challenges.account_key IS 'Hash of realm and account, for limits';
COMMENT ON COLUMN login_challenges.code_mac IS 'HMAC of the token and the code, with a key of the auth module';
COMMENT ON COLUMN login_challenges.waiting IS 'The e-mail address, and the refresh token of a login, encrypted with a key of the auth module (JWE)';
COMMENT ON COLUMN login_challenges.claimed_at IS 'Set by the process that completes it, so that a code works once';

GRANT SELECT, INSERT, UPDATE, DELETE ON login_challenges TO hms_auth;
