-- Names sort and compare as people expect, whatever locale the server was made with: hence the ICU collation.

CREATE TABLE counters (
  hospital_id own_hospital_id,
  series text NOT NULL,
  period text NOT NULL DEFAULT '',
  value bigint NOT NULL,
  PRIMARY KEY (series, period)
);
COMMENT ON TABLE counters IS 'Last number given in each series; numbers are taken in the transaction that uses them, so none is lost';

CREATE TABLE patients (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  patient_code text NOT NULL,
  first_name text COLLATE "und-x-icu" NOT NULL,
  last_name text COLLATE "und-x-icu" NOT NULL,
  phone text NOT NULL CHECK (phone ~ '^\+[1-9][0-9]{6,14}$'),
  email text,
  date_of_birth date NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (
    lower((first_name || ' ' || last_name || ' ' || patient_code || ' ' || phone) COLLATE "und-x-icu")
  ) STORED,
  CONSTRAINT patients_patient_code_key UNIQUE (patient_code)
);
CREATE INDEX patients_created_at ON patients (created_at, id);
CREATE INDEX patients_updated_at ON patients (updated_at, id);
CREATE INDEX patients_last_name ON patients (last_name, id);
CREATE INDEX patients_first_name ON patients (first_name, id);
CREATE INDEX patients_phone ON patients (phone);
CREATE INDEX patients_email ON patients (lower(email));
CREATE INDEX patients_date_of_birth ON patients (date_of_birth);
CREATE INDEX patients_search ON patients USING gin (search public.gin_trgm_ops);

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
  search text NOT NULL GENERATED ALWAYS AS (lower((name || ' ' || family_code) COLLATE "und-x-icu")) STORED,
  CONSTRAINT families_family_code_key UNIQUE (family_code),
  CONSTRAINT families_primary_contact_required CHECK ((primary_contact_id IS NULL) = (deleted_at IS NOT NULL))
);
CREATE INDEX families_created_at ON families (created_at, id);
CREATE INDEX families_name ON families (name, id);
CREATE INDEX families_primary_contact ON families (primary_contact_id);
CREATE INDEX families_search ON families USING gin (search public.gin_trgm_ops);

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
