CREATE TABLE departments (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  code text NOT NULL,
  name text COLLATE "und-x-icu" NOT NULL,
  location text,
  parent_id uuid REFERENCES departments,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(code || ' ' || name)) STORED
);
CREATE UNIQUE INDEX departments_code ON departments (lower(code)) WHERE deleted_at IS NULL;
CREATE INDEX departments_name ON departments (name, id);
CREATE INDEX departments_parent ON departments (parent_id);
COMMENT ON COLUMN departments.parent_id IS 'The department of which it is a part';

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
  invited_at timestamptz,
  status text NOT NULL DEFAULT 'invited',
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (
    search_people(first_name || ' ' || last_name, employee_code || ' ' || email)
  ) STORED,
  CONSTRAINT employees_employee_code_key UNIQUE (employee_code)
);
-- Somebody who comes back, or takes over an address, is a new employee.
CREATE UNIQUE INDEX employees_email ON employees (lower(email)) WHERE deleted_at IS NULL AND status <> 'terminated';
CREATE UNIQUE INDEX employees_account ON employees (account_id) WHERE deleted_at IS NULL AND status <> 'terminated';
CREATE INDEX employees_department ON employees (department_id);
CREATE INDEX employees_last_name ON employees (last_name, id) INCLUDE (deleted_at);
CREATE INDEX employees_first_name ON employees (first_name, id) INCLUDE (deleted_at);
CREATE INDEX employees_search ON employees USING gin (search extensions.gin_trgm_ops);
COMMENT ON COLUMN employees.account_id IS 'Id of the account in Keycloak, whose claim sub it is; empty until the account exists';

CREATE TABLE clinics (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  code text NOT NULL,
  name text COLLATE "und-x-icu" NOT NULL,
  department_id uuid REFERENCES departments,
  location text,
  token_prefix text CHECK (token_prefix ~ '^[A-Z0-9]{1,4}$'),
  slot_minutes integer CHECK (slot_minutes BETWEEN 5 AND 480),
  is_queue_enabled boolean NOT NULL DEFAULT true,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(code || ' ' || name)) STORED
);
CREATE UNIQUE INDEX clinics_code ON clinics (lower(code)) WHERE deleted_at IS NULL;
CREATE INDEX clinics_name ON clinics (name, id);
CREATE INDEX clinics_department ON clinics (department_id);
COMMENT ON COLUMN clinics.token_prefix IS 'Letters before the number of a token, as in A-012';
COMMENT ON COLUMN clinics.slot_minutes IS 'Minutes of an appointment in a new schedule; empty: as the hospital''s settings say';

CREATE TABLE rooms (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  code text NOT NULL,
  name text COLLATE "und-x-icu" NOT NULL,
  clinic_id uuid NOT NULL REFERENCES clinics,
  location text,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(code || ' ' || name)) STORED
);
CREATE UNIQUE INDEX rooms_code ON rooms (lower(code)) WHERE deleted_at IS NULL;
CREATE INDEX rooms_name ON rooms (name, id);
CREATE INDEX rooms_clinic ON rooms (clinic_id);

-- Times are those of the clock on the hospital's wall. 24:00 is the end of the day, so a night is two schedules.
CREATE TABLE schedules (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  doctor_id uuid NOT NULL REFERENCES employees,
  clinic_id uuid NOT NULL REFERENCES clinics,
  room_id uuid REFERENCES rooms,
  weekday smallint NOT NULL CHECK (weekday BETWEEN 1 AND 7),
  start_time time NOT NULL,
  end_time time NOT NULL,
  slot_minutes integer NOT NULL CHECK (slot_minutes > 0),
  capacity integer NOT NULL CHECK (capacity > 0),
  valid_from date NOT NULL,
  valid_to date,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  minutes int4range NOT NULL GENERATED ALWAYS AS (
    int4range((extract(epoch FROM start_time) / 60)::integer, (extract(epoch FROM end_time) / 60)::integer)
  ) STORED,
  CONSTRAINT schedules_slot CHECK (slot_minutes <= upper(minutes) - lower(minutes)),
  CONSTRAINT schedules_doctor EXCLUDE USING gist (
    doctor_id WITH =, weekday WITH =, minutes WITH &&, daterange(valid_from, valid_to, '[]') WITH &&
  ) WHERE (deleted_at IS NULL),
  CONSTRAINT schedules_room EXCLUDE USING gist (
    room_id WITH =, weekday WITH =, minutes WITH &&, daterange(valid_from, valid_to, '[]') WITH &&
  ) WHERE (deleted_at IS NULL)
);
CREATE INDEX schedules_clinic ON schedules (clinic_id);
CREATE INDEX schedules_valid_from ON schedules (valid_from, id);
COMMENT ON COLUMN schedules.weekday IS '1 is Monday, as in ISO 8601';
COMMENT ON COLUMN schedules.valid_to IS 'The last day; empty: until somebody ends it';

CREATE TABLE absences (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  doctor_id uuid NOT NULL REFERENCES employees,
  "from" timestamptz NOT NULL,
  "to" timestamptz NOT NULL,
  kind text NOT NULL CHECK (kind IN ('leave', 'sick', 'training', 'other')),
  reason text,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  CONSTRAINT absences_period CHECK ("from" < "to"),
  CONSTRAINT absences_doctor EXCLUDE USING gist (doctor_id WITH =, tstzrange("from", "to") WITH &&)
    WHERE (deleted_at IS NULL)
);
CREATE INDEX absences_from ON absences ("from", id);
