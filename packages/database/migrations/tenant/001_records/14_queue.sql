-- Who waits in a clinic on a day of service, with the token that everybody may see.
CREATE TABLE queue_entries (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  clinic_id uuid NOT NULL REFERENCES clinics,
  issuing_clinic_id uuid NOT NULL REFERENCES clinics,
  service_date date NOT NULL,
  series text NOT NULL CHECK (series ~ '^[A-Z0-9]{1,4}$'),
  number integer NOT NULL CHECK (number > 0),
  label text NOT NULL,
  patient_id uuid REFERENCES patients,
  appointment_id uuid REFERENCES appointments,
  priority smallint NOT NULL CHECK (priority BETWEEN 0 AND 2),
  note text,
  tier_name text,
  head_start smallint NOT NULL DEFAULT 0 CHECK (head_start BETWEEN 0 AND 600),
  due_at timestamptz NOT NULL,
  turn timestamptz NOT NULL,
  room_id uuid REFERENCES rooms,
  status text NOT NULL DEFAULT 'waiting'
    CHECK (status IN ('waiting', 'called', 'serving', 'done', 'no_show', 'cancelled')),
  joined_at timestamptz NOT NULL,
  queued_at timestamptz NOT NULL,
  ahead integer NOT NULL CHECK (ahead >= 0),
  estimate_p50 integer NOT NULL,
  estimate_p80 integer NOT NULL,
  estimate_basis text NOT NULL DEFAULT 'rule'
    CHECK (estimate_basis IN ('hour_of_week', 'hour_of_day', 'clinic', 'rule')),
  first_called_at timestamptz,
  called_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  calls integer NOT NULL DEFAULT 0,
  end_reason text,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  CONSTRAINT queue_entries_number UNIQUE (issuing_clinic_id, service_date, series, number),
  CONSTRAINT queue_entries_called CHECK (status <> 'called' OR called_at IS NOT NULL),
  CONSTRAINT queue_entries_serving CHECK (status <> 'serving' OR started_at IS NOT NULL),
  CONSTRAINT queue_entries_ended CHECK ((status IN ('done', 'no_show', 'cancelled')) = (ended_at IS NOT NULL))
);
CREATE INDEX queue_entries_created_at ON queue_entries (created_at, id) INCLUDE (deleted_at);
CREATE INDEX queue_entries_updated_at ON queue_entries (updated_at, id) INCLUDE (deleted_at);
CREATE INDEX queue_entries_patient_id ON queue_entries (patient_id, created_at, id);
CREATE INDEX queue_entries_day ON queue_entries (clinic_id, service_date, status);
CREATE INDEX queue_entries_waiting ON queue_entries (clinic_id, service_date, turn, id) WHERE status = 'waiting';
CREATE UNIQUE INDEX queue_entries_patient ON queue_entries (patient_id, clinic_id, service_date)
  WHERE status IN ('waiting', 'called', 'serving');
CREATE INDEX queue_entries_joined_at ON queue_entries (joined_at, id) INCLUDE (deleted_at);
CREATE INDEX queue_entries_appointment ON queue_entries (appointment_id) WHERE appointment_id IS NOT NULL;
CREATE UNIQUE INDEX queue_entries_one_appointment ON queue_entries (appointment_id)
  WHERE status IN ('waiting', 'called', 'serving');
CREATE UNIQUE INDEX queue_entries_room ON queue_entries (room_id) WHERE status IN ('called', 'serving');
COMMENT ON COLUMN queue_entries.issuing_clinic_id IS 'Whose token it is: after a transfer, clinic_id is another one';
COMMENT ON COLUMN queue_entries.due_at IS 'When the person came, or somewhat before their appointment if they came earlier';
COMMENT ON COLUMN queue_entries.tier_name IS 'The VIP tier that counted when the token was given';
COMMENT ON COLUMN queue_entries.head_start IS 'Seconds by which somebody goes before others of no higher priority: packages/domain/src/queue/order.ts';
COMMENT ON COLUMN queue_entries.turn IS 'Who has the earliest is called next: due_at, minus what a priority counts for';
COMMENT ON COLUMN queue_entries.queued_at IS 'When the person came to this clinic; joined_at, when the token was issued';
COMMENT ON COLUMN queue_entries.ahead IS 'How many people were ahead then; estimate_p50 and estimate_p80 are the minutes that were expected then, and estimate_basis what they were taken from';
COMMENT ON COLUMN queue_entries.first_called_at IS 'When the person was first called in this clinic';

CREATE TABLE queue_steps (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  entry_id uuid NOT NULL REFERENCES queue_entries,
  version integer NOT NULL,
  kind text NOT NULL CHECK (
    kind IN ('call', 'recall', 'skip', 'serve', 'done', 'no-show', 'come-back', 'cancel', 'transfer', 'priority', 'undo')
  ),
  before jsonb NOT NULL,
  taken_at timestamptz NOT NULL DEFAULT moment(),
  taken_by text NOT NULL,
  CONSTRAINT queue_steps_version UNIQUE (entry_id, version)
);
-- append-only: queue_steps
COMMENT ON TABLE queue_steps IS 'What was done with each person who waits: version is that of the entry afterwards, and before is what undoes it';

-- What each person waited in each clinic, of those who were called.
CREATE TABLE queue_waits (
  entry_id uuid NOT NULL REFERENCES queue_entries,
  hospital_id own_hospital_id,
  clinic_id uuid NOT NULL REFERENCES clinics,
  queued_at timestamptz NOT NULL,
  called_at timestamptz NOT NULL,
  ahead integer NOT NULL,
  estimate_p50 integer NOT NULL,
  estimate_p80 integer NOT NULL,
  estimate_basis text NOT NULL,
  PRIMARY KEY (entry_id, clinic_id, queued_at)
);
CREATE INDEX queue_waits_called_at ON queue_waits (clinic_id, called_at)
  INCLUDE (queued_at, ahead, estimate_p50, estimate_p80, estimate_basis);
CREATE INDEX queue_waits_queued_at ON queue_waits (clinic_id, queued_at) INCLUDE (called_at, ahead);
COMMENT ON TABLE queue_waits IS 'The history of estimates. An entry has only its wait in the clinic where the person is now; called_at is when they were first called there';

CREATE TABLE queue_boards (
  clinic_id uuid PRIMARY KEY REFERENCES clinics,
  hospital_id own_hospital_id,
  revision bigint NOT NULL,
  changed_at timestamptz NOT NULL
);
COMMENT ON TABLE queue_boards IS 'How often the queue of each clinic has changed. It is counted last in a transaction, so that the transactions of one clinic wait for each other as briefly as possible';
