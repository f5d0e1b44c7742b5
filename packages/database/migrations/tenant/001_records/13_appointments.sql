-- What people come for, and how long it takes.
CREATE TABLE visit_types (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  code text NOT NULL,
  name text COLLATE "und-x-icu" NOT NULL,
  minutes integer NOT NULL CHECK (minutes BETWEEN 5 AND 480),
  clinic_id uuid REFERENCES clinics,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(code || ' ' || name)) STORED
);
CREATE UNIQUE INDEX visit_types_code ON visit_types (lower(code)) WHERE deleted_at IS NULL;
CREATE INDEX visit_types_name ON visit_types (name, id);
CREATE INDEX visit_types_clinic ON visit_types (clinic_id);
COMMENT ON COLUMN visit_types.clinic_id IS 'Empty: every clinic';

-- Somebody who wants an earlier time than those that are free, or any at all.
CREATE TABLE waiting_list (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  patient_id uuid NOT NULL REFERENCES patients,
  doctor_id uuid REFERENCES employees,
  clinic_id uuid REFERENCES clinics,
  visit_type_id uuid REFERENCES visit_types,
  from_date date,
  until_date date,
  from_time time,
  until_time time,
  priority text NOT NULL DEFAULT 'usual' CHECK (priority IN ('urgent', 'usual')),
  reason text,
  notes text,
  appointment_id uuid,
  ended_at timestamptz,
  end_reason text,
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'offered', 'booked', 'withdrawn')),
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(coalesce(reason, ''))) STORED,
  CONSTRAINT waiting_list_place CHECK (doctor_id IS NOT NULL OR clinic_id IS NOT NULL),
  CONSTRAINT waiting_list_dates CHECK (from_date <= until_date),
  CONSTRAINT waiting_list_times CHECK (from_time < until_time),
  CONSTRAINT waiting_list_appointment CHECK ((appointment_id IS NOT NULL) = (status IN ('offered', 'booked')))
);
CREATE INDEX waiting_list_created_at ON waiting_list (created_at, id) INCLUDE (deleted_at);
CREATE INDEX waiting_list_updated_at ON waiting_list (updated_at, id) INCLUDE (deleted_at);
CREATE INDEX waiting_list_patient_id ON waiting_list (patient_id, id) INCLUDE (deleted_at);
CREATE INDEX waiting_list_turn ON waiting_list (priority, id) INCLUDE (deleted_at);
CREATE INDEX waiting_list_search ON waiting_list USING gin (search extensions.gin_trgm_ops);
CREATE INDEX waiting_list_visit_type ON waiting_list (visit_type_id) WHERE visit_type_id IS NOT NULL;
CREATE UNIQUE INDEX waiting_list_one ON waiting_list (patient_id, doctor_id, clinic_id) NULLS NOT DISTINCT
  WHERE status IN ('waiting', 'offered') AND deleted_at IS NULL;
COMMENT ON COLUMN waiting_list.doctor_id IS 'Empty: any doctor of the clinic';
COMMENT ON COLUMN waiting_list.clinic_id IS 'Empty: any clinic of the doctor';
COMMENT ON COLUMN waiting_list.appointment_id IS 'The time that is offered, or was booked';

-- Several people may have the same time with a doctor, if the schedule says so: each has a seat of their own. A hold is
-- no appointment yet: it keeps a seat for two minutes for whoever looks for the patient.
CREATE TABLE appointments (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  appointment_no text,
  patient_id uuid REFERENCES patients,
  doctor_id uuid NOT NULL REFERENCES employees,
  clinic_id uuid NOT NULL REFERENCES clinics,
  room_id uuid REFERENCES rooms,
  visit_type_id uuid REFERENCES visit_types,
  starts_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  seat smallint NOT NULL CHECK (seat > 0),
  reason text,
  notes text,
  rescheduled_from_id uuid REFERENCES appointments,
  series_id uuid,
  waiting_entry_id uuid REFERENCES waiting_list,
  offer_expires_at timestamptz,
  held_until timestamptz,
  ended_at timestamptz,
  end_reason text,
  status text NOT NULL DEFAULT 'booked' CHECK (
    status IN ('held', 'offered', 'booked', 'confirmed', 'checked_in', 'in_consultation', 'completed', 'cancelled', 'no_show', 'rescheduled')
  ),
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(coalesce(appointment_no, ''))) STORED,
  CONSTRAINT appointments_appointment_no_key UNIQUE (appointment_no),
  CONSTRAINT appointments_period CHECK (starts_at < ends_at),
  CONSTRAINT appointments_hold CHECK (
    num_nulls(appointment_no, patient_id) = CASE status WHEN 'held' THEN 2 ELSE 0 END
    AND (held_until IS NOT NULL) = (status = 'held')
  ),
  CONSTRAINT appointments_offer CHECK (
    status <> 'offered' OR (waiting_entry_id IS NOT NULL AND offer_expires_at IS NOT NULL)
  ),
  CONSTRAINT appointments_doctor EXCLUDE USING gist (
    doctor_id WITH =, seat WITH =, tstzrange(starts_at, ends_at) WITH &&
  ) WHERE (status IN ('held', 'offered', 'booked', 'confirmed', 'checked_in', 'in_consultation') AND deleted_at IS NULL),
  CONSTRAINT appointments_patient EXCLUDE USING gist (
    patient_id WITH =, tstzrange(starts_at, ends_at) WITH &&
  ) WHERE (status IN ('offered', 'booked', 'confirmed', 'checked_in', 'in_consultation') AND deleted_at IS NULL)
);
CREATE INDEX appointments_created_at ON appointments (created_at, id) INCLUDE (deleted_at);
CREATE INDEX appointments_updated_at ON appointments (updated_at, id) INCLUDE (deleted_at);
CREATE INDEX appointments_starts_at ON appointments (starts_at, id) INCLUDE (deleted_at);
-- What computes free places needs nothing else of a row.
CREATE INDEX appointments_doctor_day ON appointments (doctor_id, starts_at) INCLUDE (ends_at, seat, status, deleted_at);
CREATE INDEX appointments_clinic_day ON appointments (clinic_id, starts_at);
CREATE INDEX appointments_patient_id ON appointments (patient_id, starts_at, id);
CREATE INDEX appointments_series_id ON appointments (series_id, starts_at) WHERE series_id IS NOT NULL;
CREATE INDEX appointments_waiting_entry_id ON appointments (waiting_entry_id, starts_at) WHERE waiting_entry_id IS NOT NULL;
CREATE INDEX appointments_visit_type ON appointments (visit_type_id) WHERE visit_type_id IS NOT NULL;
CREATE UNIQUE INDEX appointments_one_hold ON appointments (created_by) WHERE status = 'held';
CREATE INDEX appointments_search ON appointments USING gin (search extensions.gin_trgm_ops);
COMMENT ON COLUMN appointments.held_until IS 'Of a hold, whose owner is created_by';
COMMENT ON COLUMN appointments.seat IS 'From 1 to the capacity of the schedule';

ALTER TABLE waiting_list ADD CONSTRAINT waiting_list_appointment_id_fkey FOREIGN KEY (appointment_id) REFERENCES appointments;

CREATE TABLE link_keys (
  id smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
  hospital_id own_hospital_id,
  key bytea NOT NULL CHECK (octet_length(key) = 32),
  created_at timestamptz NOT NULL DEFAULT moment()
);
-- append-only: link_keys
COMMENT ON TABLE link_keys IS 'Signs the links with which patients answer without an account, and employees choose their first password. Whoever has the key can do it for each of them';

CREATE TABLE calendar_links (
  employee_id uuid PRIMARY KEY REFERENCES employees,
  hospital_id own_hospital_id,
  secret_hash bytea NOT NULL CHECK (octet_length(secret_hash) = 32),
  created_at timestamptz NOT NULL DEFAULT moment()
);
CREATE UNIQUE INDEX calendar_links_secret_hash ON calendar_links (secret_hash);
COMMENT ON TABLE calendar_links IS 'Links with which programs read the calendars of doctors. Whoever has the secret can do it';
