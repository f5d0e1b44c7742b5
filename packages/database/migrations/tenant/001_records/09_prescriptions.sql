CREATE TABLE prescriptions (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  rx_no text NOT NULL,
  patient_id uuid NOT NULL REFERENCES patients,
  doctor_id uuid REFERENCES employees,
  repeat_of_id uuid REFERENCES prescriptions,
  notes text,
  weight_kg numeric(5, 2) CHECK (weight_kg BETWEEN 0.2 AND 700),
  weighed_on date,
  valid_until date NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (
    status IN ('active', 'partially_dispensed', 'dispensed', 'cancelled', 'expired')
  ),
  cancel_reason text,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(rx_no)) STORED,
  CONSTRAINT prescriptions_rx_no_key UNIQUE (rx_no),
  CONSTRAINT prescriptions_of_patient UNIQUE (patient_id, id),
  CONSTRAINT prescriptions_cancelled CHECK ((status = 'cancelled') = (cancel_reason IS NOT NULL)),
  CONSTRAINT prescriptions_weighed CHECK ((weight_kg IS NULL) = (weighed_on IS NULL))
);
CREATE INDEX prescriptions_created_at ON prescriptions (created_at, id) INCLUDE (deleted_at);
CREATE INDEX prescriptions_updated_at ON prescriptions (updated_at, id) INCLUDE (deleted_at);
CREATE INDEX prescriptions_patient ON prescriptions (patient_id, created_at, id);
CREATE INDEX prescriptions_doctor ON prescriptions (doctor_id, created_at, id);
CREATE INDEX prescriptions_repeats ON prescriptions (repeat_of_id) WHERE repeat_of_id IS NOT NULL;
CREATE INDEX prescriptions_open ON prescriptions (created_at, id) WHERE status IN ('active', 'partially_dispensed');
CREATE INDEX prescriptions_search ON prescriptions USING gin (search extensions.gin_trgm_ops);

CREATE TABLE prescription_items (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  prescription_id uuid NOT NULL REFERENCES prescriptions,
  position smallint NOT NULL,
  drug_id uuid NOT NULL REFERENCES drugs,
  dose numeric(9, 3) NOT NULL CHECK (dose > 0),
  times_per_day smallint NOT NULL CHECK (times_per_day BETWEEN 1 AND 24),
  duration_days smallint NOT NULL CHECK (duration_days BETWEEN 1 AND 366),
  quantity integer NOT NULL CHECK (quantity > 0),
  dispensed integer NOT NULL DEFAULT 0,
  instructions text,
  may_substitute boolean NOT NULL DEFAULT true,
  CONSTRAINT prescription_items_position UNIQUE (prescription_id, position),
  CONSTRAINT prescription_items_of_prescription UNIQUE (prescription_id, id),
  CONSTRAINT prescription_items_dispensed CHECK (dispensed BETWEEN 0 AND quantity)
);
CREATE INDEX prescription_items_drug ON prescription_items (drug_id);

-- append-only: prescription_overrides
CREATE TABLE prescription_overrides (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  prescription_id uuid NOT NULL REFERENCES prescriptions,
  dispense_id uuid,
  finding text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('allergy', 'interaction', 'duplicate', 'dose', 'weight')),
  details jsonb NOT NULL,
  reason text NOT NULL,
  overridden_by text NOT NULL,
  role text NOT NULL,
  overridden_at timestamptz NOT NULL DEFAULT moment(),
  CONSTRAINT prescription_overrides_finding UNIQUE (prescription_id, finding)
);
COMMENT ON TABLE prescription_overrides IS 'Findings of the checks that somebody has overridden, with the reason and the role. Rows are only added';

CREATE TABLE dispenses (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  dispense_no text NOT NULL,
  prescription_id uuid NOT NULL,
  patient_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'completed' CHECK (status IN ('completed', 'partially_returned', 'returned')),
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  CONSTRAINT dispenses_dispense_no_key UNIQUE (dispense_no),
  CONSTRAINT dispenses_prescription FOREIGN KEY (patient_id, prescription_id) REFERENCES prescriptions (patient_id, id)
);
CREATE INDEX dispenses_created_at ON dispenses (created_at, id) INCLUDE (deleted_at);
CREATE INDEX dispenses_updated_at ON dispenses (updated_at, id) INCLUDE (deleted_at);
CREATE INDEX dispenses_patient ON dispenses (patient_id, created_at, id);
CREATE INDEX dispenses_prescription ON dispenses (prescription_id);

CREATE TABLE dispense_lines (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  dispense_id uuid NOT NULL REFERENCES dispenses,
  item_id uuid NOT NULL REFERENCES prescription_items,
  drug_id uuid NOT NULL REFERENCES drugs,
  batch_id uuid NOT NULL,
  batch_no text NOT NULL,
  expires_on date NOT NULL,
  dispensed_on date NOT NULL,
  quantity integer NOT NULL CHECK (quantity > 0),
  returned integer NOT NULL DEFAULT 0,
  unit_price bigint,
  substitution_reason text,
  CONSTRAINT dispense_lines_batch FOREIGN KEY (drug_id, batch_id) REFERENCES stock_batches (drug_id, id),
  CONSTRAINT dispense_lines_once UNIQUE (dispense_id, item_id, batch_id),
  CONSTRAINT dispense_lines_returned CHECK (returned BETWEEN 0 AND quantity),
  CONSTRAINT dispense_lines_not_expired CHECK (dispensed_on <= expires_on)
);
CREATE INDEX dispense_lines_batch_id ON dispense_lines (batch_id);
CREATE INDEX dispense_lines_item ON dispense_lines (item_id);
COMMENT ON COLUMN dispense_lines.dispensed_on IS 'The day in the time zone of the hospital';

ALTER TABLE stock_movements ADD CONSTRAINT stock_movements_dispense FOREIGN KEY (dispense_id) REFERENCES dispenses;
ALTER TABLE prescription_overrides ADD CONSTRAINT prescription_overrides_dispense FOREIGN KEY (dispense_id) REFERENCES dispenses;
