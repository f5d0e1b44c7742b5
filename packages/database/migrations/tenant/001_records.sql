-- Names sort and compare as people expect, whatever locale the server was made with: hence the ICU collation.

-- The form in which texts are searched: small letters without accents and apostrophes, one spelling of letters that are
-- written in several ways. It is a generated column's function, so the stored text and the searched one can't differ.
CREATE FUNCTION search_text(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN
  replace(replace(replace(replace(replace(
    translate(
      -- Latin, Greek, Cyrillic, Hebrew and Arabic marks; the vowel signs of other scripts are letters.
      regexp_replace(
        lower(normalize(
          -- before they are decomposed: some of these would become a space and an accent
          translate(value, U&'''\2019\2018\02BC\02BB\02B9\2032`\00B4\0640', '')
        , NFKD) COLLATE "und-x-icu"),
        U&'[''\0300-\036F\0483-\0487\0591-\05BD\05BF\05C1\05C2\05C4\05C5\05C7\0610-\061A\064B-\065F\0670\06D6-\06DC\06DF-\06E4\06E7\06E8\06EA-\06ED]',
        '', 'g'
      ),
      -- letters that have no decomposition; dashes; final sigma; Arabic spellings; digits
      U&'\00F8\0142\0111\0131\00F0\0127\2010\2011\2012\2013\2212\03C2\0649\06CC\06A9\0629\0660\0661\0662\0663\0664\0665\0666\0667\0668\0669\06F0\06F1\06F2\06F3\06F4\06F5\06F6\06F7\06F8\06F9',
      U&'oldidh-----\03C3\064A\064A\0643\064701234567890123456789'
    ),
    U&'\00DF', 'ss'), U&'\00E6', 'ae'), U&'\0153', 'oe'), U&'\00FE', 'th'), U&'\1E9E', 'ss');

CREATE TABLE counters (
  hospital_id own_hospital_id,
  series text NOT NULL,
  period text NOT NULL DEFAULT '',
  value bigint NOT NULL,
  PRIMARY KEY (series, period)
);
COMMENT ON TABLE counters IS 'Last number given in each series; numbers are taken in the transaction that uses them, so none is lost';

CREATE TABLE idempotency_keys (
  hospital_id own_hospital_id,
  sub text NOT NULL,
  route text NOT NULL,
  key text NOT NULL,
  request_hash bytea NOT NULL,
  status smallint,
  headers jsonb,
  content_type text,
  body text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (sub, route, key)
);
CREATE INDEX idempotency_keys_created_at ON idempotency_keys (created_at);
COMMENT ON TABLE idempotency_keys IS 'First response to each request with an idempotency key, kept for a day and written by its transaction';

CREATE TABLE completed_tasks (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  completed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX completed_tasks_completed_at ON completed_tasks (completed_at);
COMMENT ON TABLE completed_tasks IS 'Background tasks whose effect is in this schema, written by its transaction and kept for two weeks, so that no task takes effect twice';

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

CREATE TABLE patients (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  patient_code text NOT NULL,
  family_id uuid,
  photo_id uuid,
  first_name text COLLATE "und-x-icu" NOT NULL,
  last_name text COLLATE "und-x-icu" NOT NULL,
  phone text NOT NULL CHECK (phone ~ '^\+[1-9][0-9]{6,14}$'),
  email text,
  date_of_birth date NOT NULL,
  gender text CHECK (gender IN ('female', 'male', 'other', 'unknown')),
  blood_group text CHECK (blood_group IN ('A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-')),
  address jsonb CHECK (jsonb_typeof(address) = 'object'),
  allergies jsonb CHECK (jsonb_typeof(allergies) = 'array'),
  alerts jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(alerts) = 'array'),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (
    search_text(first_name || ' ' || last_name || ' ' || patient_code || ' ' || phone)
  ) STORED,
  CONSTRAINT patients_patient_code_key UNIQUE (patient_code)
);
COMMENT ON COLUMN patients.allergies IS 'Null if nobody has asked, and empty if the patient has no known allergies';
CREATE INDEX patients_created_at ON patients (created_at, id);
CREATE INDEX patients_updated_at ON patients (updated_at, id);
CREATE INDEX patients_last_name ON patients (last_name, id);
CREATE INDEX patients_first_name ON patients (first_name, id);
CREATE INDEX patients_phone ON patients (phone);
CREATE INDEX patients_email ON patients (lower(email));
CREATE INDEX patients_family ON patients (family_id);
CREATE INDEX patients_date_of_birth ON patients (date_of_birth);
CREATE INDEX patients_search ON patients USING gin (search extensions.gin_trgm_ops);

CREATE TABLE families (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  family_code text NOT NULL,
  name text COLLATE "und-x-icu" NOT NULL,
  primary_contact_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(name || ' ' || family_code)) STORED,
  CONSTRAINT families_family_code_key UNIQUE (family_code),
  CONSTRAINT families_primary_contact_required CHECK ((primary_contact_id IS NULL) = (deleted_at IS NOT NULL))
);
CREATE INDEX families_created_at ON families (created_at, id);
CREATE INDEX families_name ON families (name, id);
CREATE INDEX families_primary_contact ON families (primary_contact_id);
CREATE INDEX families_search ON families USING gin (search extensions.gin_trgm_ops);

CREATE TABLE family_members (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  family_id uuid NOT NULL REFERENCES families,
  patient_id uuid NOT NULL REFERENCES patients,
  relation text NOT NULL CHECK (relation IN ('self', 'spouse', 'child', 'parent', 'other')),
  is_payer boolean NOT NULL DEFAULT false,
  joined_at timestamptz NOT NULL DEFAULT now(),
  left_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  current_family_id uuid GENERATED ALWAYS AS (CASE WHEN left_at IS NULL THEN family_id END) STORED,
  CONSTRAINT family_members_current UNIQUE (current_family_id, patient_id)
);
CREATE UNIQUE INDEX family_members_one_family ON family_members (patient_id) WHERE left_at IS NULL;
CREATE INDEX family_members_family ON family_members (family_id, joined_at);

-- The primary contact is a current member. Deferred, as a family and its first member refer to each other.
ALTER TABLE families ADD CONSTRAINT families_primary_contact_is_member
  FOREIGN KEY (id, primary_contact_id) REFERENCES family_members (current_family_id, patient_id)
  DEFERRABLE INITIALLY DEFERRED;

-- A patient's family is one of which they are a current member.
ALTER TABLE patients ADD CONSTRAINT patients_family_member
  FOREIGN KEY (family_id, id) REFERENCES family_members (current_family_id, patient_id)
  DEFERRABLE INITIALLY DEFERRED;

CREATE TABLE patient_documents (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  patient_id uuid NOT NULL REFERENCES patients,
  kind text NOT NULL CHECK (kind IN ('document', 'photo', 'summary')),
  file_name text NOT NULL,
  content_type text NOT NULL,
  size integer NOT NULL CHECK (size > 0),
  sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  status text NOT NULL DEFAULT 'uploading',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  CONSTRAINT patient_documents_of_patient UNIQUE (patient_id, id)
);
CREATE INDEX patient_documents_created_at ON patient_documents (patient_id, created_at);

-- The photo is a document of this patient.
ALTER TABLE patients ADD CONSTRAINT patients_photo
  FOREIGN KEY (id, photo_id) REFERENCES patient_documents (patient_id, id);

CREATE TABLE departments (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  code text NOT NULL,
  name text COLLATE "und-x-icu" NOT NULL,
  location text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(code || ' ' || name)) STORED
);
CREATE UNIQUE INDEX departments_code ON departments (lower(code)) WHERE deleted_at IS NULL;
CREATE INDEX departments_name ON departments (name, id);

CREATE TABLE employees (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  employee_code text NOT NULL,
  first_name text COLLATE "und-x-icu" NOT NULL,
  last_name text COLLATE "und-x-icu" NOT NULL,
  email text NOT NULL,
  phone text,
  department_id uuid REFERENCES departments,
  title text,
  license_no text,
  roles jsonb NOT NULL CHECK (jsonb_typeof(roles) = 'array' AND roles <> '[]'),
  employed_from date NOT NULL,
  employed_to date,
  account_id uuid,
  status text NOT NULL DEFAULT 'invited',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (
    search_text(first_name || ' ' || last_name || ' ' || employee_code || ' ' || email)
  ) STORED,
  CONSTRAINT employees_employee_code_key UNIQUE (employee_code)
);
-- Somebody who comes back, or takes over an address, is a new employee.
CREATE UNIQUE INDEX employees_email ON employees (lower(email)) WHERE deleted_at IS NULL AND status <> 'terminated';
CREATE UNIQUE INDEX employees_account ON employees (account_id) WHERE deleted_at IS NULL AND status <> 'terminated';
CREATE INDEX employees_department ON employees (department_id);
CREATE INDEX employees_last_name ON employees (last_name, id);
CREATE INDEX employees_first_name ON employees (first_name, id);
CREATE INDEX employees_search ON employees USING gin (search extensions.gin_trgm_ops);
COMMENT ON COLUMN employees.account_id IS 'Id of the account in Keycloak, whose claim sub it is; empty until the account exists';

CREATE TABLE clinics (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  code text NOT NULL,
  name text COLLATE "und-x-icu" NOT NULL,
  department_id uuid REFERENCES departments,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(code || ' ' || name)) STORED
);
CREATE UNIQUE INDEX clinics_code ON clinics (lower(code)) WHERE deleted_at IS NULL;
CREATE INDEX clinics_name ON clinics (name, id);
CREATE INDEX clinics_department ON clinics (department_id);

CREATE TABLE displays (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  name text COLLATE "und-x-icu" NOT NULL,
  clinic_ids jsonb NOT NULL CHECK (jsonb_typeof(clinic_ids) = 'array' AND clinic_ids <> '[]'),
  account_id uuid,
  last_seen_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
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
COMMENT ON COLUMN displays.last_seen_at IS 'When the display last got an access token, which it does every few minutes';

CREATE TABLE display_secrets (
  display_id uuid PRIMARY KEY REFERENCES displays,
  hospital_id own_hospital_id,
  current bytea NOT NULL UNIQUE,
  next bytea UNIQUE,
  since timestamptz NOT NULL DEFAULT now()
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
