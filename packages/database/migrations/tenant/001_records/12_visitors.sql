-- By the clock on the hospital's wall. Without any, people may visit at any time.
CREATE TABLE visiting_hours (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  weekday smallint NOT NULL CHECK (weekday BETWEEN 1 AND 7),
  start_time time NOT NULL,
  end_time time NOT NULL,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  minutes int4range NOT NULL GENERATED ALWAYS AS (
    int4range((extract(epoch FROM start_time) / 60)::integer, (extract(epoch FROM end_time) / 60)::integer)
  ) STORED,
  CONSTRAINT visiting_hours_order CHECK (start_time < end_time),
  CONSTRAINT visiting_hours_one EXCLUDE USING gist (weekday WITH =, minutes WITH &&) WHERE (deleted_at IS NULL)
);
CREATE INDEX visiting_hours_weekday ON visiting_hours (weekday, id);
COMMENT ON COLUMN visiting_hours.weekday IS '1 is Monday, as in ISO 8601';

CREATE TABLE visitor_bans (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  name text COLLATE "und-x-icu" NOT NULL,
  phone text CHECK (phone ~ '^\+[1-9][0-9]{6,14}$'),
  patient_id uuid REFERENCES patients,
  reason text NOT NULL,
  valid_to date,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  same_name text NOT NULL GENERATED ALWAYS AS (
    btrim(regexp_replace(search_text(name), '[[:space:].,;:()/_-]+', ' ', 'g'))
  ) STORED,
  search text NOT NULL GENERATED ALWAYS AS (search_people(name, coalesce(phone, ''))) STORED
);
CREATE INDEX visitor_bans_created_at ON visitor_bans (created_at, id);
CREATE INDEX visitor_bans_updated_at ON visitor_bans (updated_at, id);
CREATE INDEX visitor_bans_name ON visitor_bans (name, id);
CREATE INDEX visitor_bans_phone ON visitor_bans (phone) WHERE deleted_at IS NULL;
COMMENT ON COLUMN visitor_bans.patient_id IS 'The patient whom the person may not visit; empty: nobody';
COMMENT ON COLUMN visitor_bans.valid_to IS 'The last day; empty: until somebody lifts it';

CREATE TABLE visitors (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  pass_no text NOT NULL,
  scan_code text NOT NULL CHECK (scan_code ~ '^V[0-9A-HJKMNP-TV-Z]{9}$'),
  patient_id uuid NOT NULL REFERENCES patients,
  name text COLLATE "und-x-icu" NOT NULL,
  phone text CHECK (phone ~ '^\+[1-9][0-9]{6,14}$'),
  id_last4 text,
  relation text,
  place text,
  valid_from timestamptz NOT NULL,
  valid_to timestamptz NOT NULL,
  any_time_reason text,
  cleared_ban_ids jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(cleared_ban_ids) = 'array'),
  status text NOT NULL DEFAULT 'expected' CHECK (status IN ('expected', 'checked_in', 'checked_out', 'denied', 'expired')),
  checked_in_at timestamptz,
  checked_out_at timestamptz,
  deny_reason text,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_people(name, pass_no || ' ' || coalesce(phone, ''))) STORED,
  CONSTRAINT visitors_pass_no_key UNIQUE (pass_no),
  CONSTRAINT visitors_scan_code_key UNIQUE (scan_code),
  CONSTRAINT visitors_period CHECK (valid_from < valid_to),
  CONSTRAINT visitors_denied CHECK ((deny_reason IS NULL) = (status <> 'denied')),
  CONSTRAINT visitors_checked_in CHECK (status <> 'checked_in' OR (checked_in_at IS NOT NULL AND checked_out_at IS NULL))
);
CREATE INDEX visitors_created_at ON visitors (created_at, id) INCLUDE (deleted_at);
CREATE INDEX visitors_updated_at ON visitors (updated_at, id) INCLUDE (deleted_at);
CREATE INDEX visitors_checked_in_at ON visitors (checked_in_at, id) INCLUDE (deleted_at);
CREATE INDEX visitors_patient ON visitors (patient_id, created_at, id);
CREATE INDEX visitors_inside ON visitors (patient_id) WHERE status = 'checked_in';
CREATE INDEX visitors_search ON visitors USING gin (search extensions.gin_trgm_ops);
COMMENT ON COLUMN visitors.scan_code IS 'What the pass shows as a QR code. Nobody can guess it';
COMMENT ON COLUMN visitors.any_time_reason IS 'Why the visiting hours do not count; empty: they do';
COMMENT ON COLUMN visitors.cleared_ban_ids IS 'Bans of people of the same name, of whom somebody said that they are others';
