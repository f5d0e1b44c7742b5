CREATE TABLE displays (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  name text COLLATE "und-x-icu" NOT NULL,
  clinic_ids jsonb NOT NULL CHECK (jsonb_typeof(clinic_ids) = 'array' AND clinic_ids <> '[]'),
  voices jsonb NOT NULL CHECK (jsonb_typeof(voices) = 'array'),
  account_id uuid,
  last_seen_at timestamptz,
  reported_build text,
  sound text CHECK (sound IN ('on', 'off')),
  board_at timestamptz,
  identify_until timestamptz,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(name)) STORED
);
CREATE UNIQUE INDEX displays_account ON displays (account_id) WHERE deleted_at IS NULL;
CREATE INDEX displays_name ON displays (name, id);
CREATE INDEX displays_clinics ON displays USING gin (clinic_ids jsonb_path_ops);
COMMENT ON COLUMN displays.account_id IS 'Id of the account in Keycloak, whose claim sub it is; empty until the account exists';
COMMENT ON COLUMN displays.voices IS 'Languages in which it speaks numbers, in their order; none: it only chimes';
COMMENT ON COLUMN displays.last_seen_at IS 'When the display last got an access token or reported, which it does every minute';
COMMENT ON COLUMN displays.reported_build IS 'Version of the pages that it shows; empty until it reports, like the next two';
COMMENT ON COLUMN displays.sound IS 'Whether a chime would be heard';
COMMENT ON COLUMN displays.board_at IS 'When it last got an event of its stream; also empty if it has got none';
COMMENT ON COLUMN displays.identify_until IS 'Until when it shows its own name in large letters';

CREATE TABLE display_secrets (
  display_id uuid PRIMARY KEY REFERENCES displays,
  hospital_id own_hospital_id,
  current bytea NOT NULL UNIQUE,
  next bytea UNIQUE,
  since timestamptz NOT NULL DEFAULT moment()
);
COMMENT ON TABLE display_secrets IS 'SHA-256 of the secret with which each display signs in; the row goes when the display is unpaired';
COMMENT ON COLUMN display_secrets.next IS 'The secret that replaces it once the display uses it, which shows that it has arrived';

CREATE TABLE display_pairings (
  secret bytea PRIMARY KEY,
  hospital_id own_hospital_id,
  code bytea NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX display_pairings_expires ON display_pairings (expires_at);
COMMENT ON TABLE display_pairings IS 'Displays that show a code and wait for an administrator: SHA-256 of the secret that the display keeps, and a keyed hash of the code';

CREATE TABLE notices (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  text text NOT NULL,
  valid_from date,
  valid_to date,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(text)) STORED,
  CONSTRAINT notices_days CHECK (valid_from <= valid_to)
);
CREATE INDEX notices_created_at ON notices (created_at, id);
COMMENT ON TABLE notices IS 'What displays tell everybody who waits';
COMMENT ON COLUMN notices.valid_from IS 'The first day; empty: from now on';
COMMENT ON COLUMN notices.valid_to IS 'The last day; empty: until somebody deletes it';
