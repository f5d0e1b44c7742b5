-- Columns and types as rate-limiter-flexible, which writes it, wants them.
CREATE TABLE login_attempts (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
CREATE INDEX login_attempts_expire ON login_attempts (expire);
COMMENT ON TABLE login_attempts IS 'Failed logins by account and by address, each as a hash; rows are deleted an hour after they expire';
COMMENT ON COLUMN login_attempts.expire IS 'Milliseconds since 1970';

GRANT SELECT, INSERT, UPDATE, DELETE ON login_attempts TO hms_auth;
