CREATE TABLE patients (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  patient_code text NOT NULL,
  family_id uuid,
  photo_id uuid,
  first_name text COLLATE "und-x-icu",
  last_name text COLLATE "und-x-icu",
  phone text CHECK (phone ~ '^\+[1-9][0-9]{6,14}$'),
  email text,
  language text CHECK (language IN ('en', 'ar')),
  date_of_birth date,
  time_of_birth time CHECK (time_of_birth IS NULL OR date_of_birth IS NOT NULL),
  unknown text[] NOT NULL GENERATED ALWAYS AS (
    array_remove(
      ARRAY[
        CASE WHEN first_name IS NULL THEN 'firstName' END,
        CASE WHEN last_name IS NULL THEN 'lastName' END,
        CASE WHEN phone IS NULL THEN 'phone' END,
        CASE WHEN date_of_birth IS NULL THEN 'dateOfBirth' END
      ],
      NULL
    )
  ) STORED,
  gender text CHECK (gender IN ('female', 'male', 'other', 'unknown')),
  blood_group text CHECK (blood_group IN ('A+', 'A-', 'B+', 'B-', 'AB+', 'AB-', 'O+', 'O-')),
  address jsonb CHECK (jsonb_typeof(address) = 'object'),
  allergies jsonb CHECK (jsonb_typeof(allergies) = 'array'),
  alerts jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(alerts) = 'array'),
  status text NOT NULL DEFAULT 'active',
  merged_into_id uuid REFERENCES patients,
  survivor_id uuid REFERENCES patients,
  has_merged boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (
    search_people(
      coalesce(first_name, '') || ' ' || coalesce(last_name, ''),
      patient_code || ' ' || coalesce(phone, '') || ' ' || coalesce(email, '')
    )
  ) STORED,
  CONSTRAINT patients_patient_code_key UNIQUE (patient_code),
  CONSTRAINT patients_merged CHECK (
    status IN ('active', 'merged')
    AND (status = 'merged') = (merged_into_id IS NOT NULL)
    AND (status = 'merged') = (survivor_id IS NOT NULL)
    AND (status = 'active' OR deleted_at IS NULL)
    AND merged_into_id <> id AND survivor_id <> id
  )
);
COMMENT ON COLUMN patients.time_of_birth IS 'By the clock of the hospital. Null for nearly everybody: ranges for newborns need it';
COMMENT ON COLUMN patients.language IS 'Of mails to the patient; empty: that of the hospital';
COMMENT ON COLUMN patients.unknown IS 'What nobody can tell yet, by the names of the API';
COMMENT ON COLUMN patients.allergies IS 'Null if nobody has asked, and empty if the patient has no known allergies';
COMMENT ON COLUMN patients.merged_into_id IS 'The patient into whom this one was merged. A separation needs it, as that one may have been merged later';
COMMENT ON COLUMN patients.survivor_id IS 'The active patient at the end of the merges, whose record this is';
COMMENT ON COLUMN patients.has_merged IS 'Whether this patient is the survivor of others. Most are not, and are read without them';
CREATE INDEX patients_created_at ON patients (created_at, id) INCLUDE (status) WHERE deleted_at IS NULL;
CREATE INDEX patients_updated_at ON patients (updated_at, id) INCLUDE (deleted_at, status);
CREATE INDEX patients_last_name ON patients (last_name, id) INCLUDE (status) WHERE deleted_at IS NULL;
CREATE INDEX patients_first_name ON patients (first_name, id) INCLUDE (status) WHERE deleted_at IS NULL;
CREATE INDEX patients_phone ON patients (phone);
CREATE INDEX patients_email ON patients (lower(email));
CREATE INDEX patients_family ON patients (family_id);
CREATE INDEX patients_date_of_birth ON patients (date_of_birth);
CREATE INDEX patients_incomplete ON patients (created_at, id) WHERE unknown <> '{}' AND deleted_at IS NULL;
CREATE INDEX patients_search ON patients USING gin (search extensions.gin_trgm_ops);
CREATE INDEX patients_survivor ON patients (survivor_id) WHERE survivor_id IS NOT NULL;
CREATE INDEX patients_merged_into ON patients (merged_into_id) WHERE merged_into_id IS NOT NULL;

-- append-only: patient_steps
CREATE TABLE patient_steps (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  patient_id uuid NOT NULL REFERENCES patients,
  kind text NOT NULL CHECK (kind IN ('merged', 'separated', 'deleted', 'restored')),
  into_id uuid REFERENCES patients,
  taken_at timestamptz NOT NULL DEFAULT moment(),
  taken_by text NOT NULL,
  CONSTRAINT patient_steps_into CHECK ((into_id IS NOT NULL) = (kind IN ('merged', 'separated')))
);
CREATE INDEX patient_steps_patient ON patient_steps (patient_id);
CREATE INDEX patient_steps_into_id ON patient_steps (into_id) WHERE into_id IS NOT NULL;
COMMENT ON TABLE patient_steps IS 'What became of the record of a patient as a whole. Rows are only added';
COMMENT ON COLUMN patient_steps.into_id IS 'The patient into whom this one was merged, or from whom it was separated';

CREATE TABLE families (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  family_code text NOT NULL,
  name text COLLATE "und-x-icu" NOT NULL,
  primary_contact_id uuid,
  payer_id uuid,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_people(name, family_code)) STORED,
  CONSTRAINT families_family_code_key UNIQUE (family_code),
  CONSTRAINT families_primary_contact_required CHECK ((primary_contact_id IS NULL) = (deleted_at IS NOT NULL)),
  CONSTRAINT families_payer_required CHECK ((payer_id IS NULL) = (deleted_at IS NOT NULL))
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
  joined_at timestamptz NOT NULL DEFAULT moment(),
  left_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  current_family_id uuid GENERATED ALWAYS AS (CASE WHEN left_at IS NULL THEN family_id END) STORED,
  CONSTRAINT family_members_current UNIQUE (current_family_id, patient_id)
);
CREATE UNIQUE INDEX family_members_one_family ON family_members (patient_id) WHERE left_at IS NULL;
CREATE UNIQUE INDEX family_members_one_self ON family_members (family_id) WHERE left_at IS NULL AND relation = 'self';
CREATE INDEX family_members_family ON family_members (family_id, joined_at);

-- The primary contact and the payer are current members. Deferred, as a family and its first member refer to each other.
ALTER TABLE families ADD CONSTRAINT families_primary_contact_is_member
  FOREIGN KEY (id, primary_contact_id) REFERENCES family_members (current_family_id, patient_id)
  DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE families ADD CONSTRAINT families_payer_is_member
  FOREIGN KEY (id, payer_id) REFERENCES family_members (current_family_id, patient_id)
  DEFERRABLE INITIALLY DEFERRED;

-- A patient's family is one of which they are a current member.
ALTER TABLE patients ADD CONSTRAINT patients_family_member
  FOREIGN KEY (family_id, id) REFERENCES family_members (current_family_id, patient_id)
  DEFERRABLE INITIALLY DEFERRED;

CREATE TABLE patient_documents (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  patient_id uuid NOT NULL REFERENCES patients,
  kind text NOT NULL CHECK (kind IN (
    'referral', 'letter', 'consent', 'external_lab_report', 'imaging', 'insurance', 'identification',
    'external_prescription', 'document', 'photo', 'summary'
  )),
  title text,
  file_name text NOT NULL,
  content_type text NOT NULL,
  size integer NOT NULL CHECK (size > 0),
  sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  missing_characters jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(missing_characters) = 'array'),
  status text NOT NULL DEFAULT 'uploading',
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  withdraw_reason text,
  CONSTRAINT patient_documents_of_patient UNIQUE (patient_id, id),
  CONSTRAINT patient_documents_withdrawn CHECK (withdraw_reason IS NULL OR deleted_at IS NOT NULL)
);
COMMENT ON COLUMN patient_documents.missing_characters IS 'As of issued_files. Uploaded documents have none';
COMMENT ON COLUMN patient_documents.withdraw_reason IS 'Why somebody withdrew it. Null also for a deletion by the platform, such as of a photo that was replaced';
CREATE INDEX patient_documents_created_at ON patient_documents (patient_id, created_at);

-- The photo is a document of this patient.
ALTER TABLE patients ADD CONSTRAINT patients_photo
  FOREIGN KEY (id, photo_id) REFERENCES patient_documents (patient_id, id);

CREATE TABLE patient_imports (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  file_name text NOT NULL,
  sha256 text NOT NULL,
  total integer NOT NULL,
  wrong integer NOT NULL,
  known integer NOT NULL,
  repaired integer NOT NULL,
  imported integer NOT NULL,
  status text NOT NULL DEFAULT 'checked',
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  CONSTRAINT patient_imports_rows CHECK (
    wrong >= 0 AND known >= 0 AND repaired >= 0 AND imported >= 0 AND wrong + known + imported <= total)
);
CREATE INDEX patient_imports_created_at ON patient_imports (created_at, id);

CREATE TABLE patient_import_rows (
  import_id uuid NOT NULL REFERENCES patient_imports,
  hospital_id own_hospital_id,
  line integer NOT NULL,
  data jsonb,
  findings jsonb,
  patient_id uuid REFERENCES patients,
  PRIMARY KEY (import_id, line),
  CONSTRAINT patient_import_rows_outcome CHECK (
    num_nonnulls(data, patient_id) <= 1 AND num_nonnulls(data, patient_id, findings) >= 1)
);
CREATE INDEX patient_import_rows_waiting ON patient_import_rows (import_id, line) WHERE data IS NOT NULL;
COMMENT ON TABLE patient_import_rows IS 'Rows of a file: a patient to be imported, the patient that it became, and what is to be said about it';
