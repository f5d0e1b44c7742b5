CREATE TABLE lab_orders (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  order_no text NOT NULL,
  patient_id uuid NOT NULL REFERENCES patients,
  patient_name text NOT NULL,
  doctor_id uuid REFERENCES employees,
  priority text NOT NULL CHECK (priority IN ('stat', 'urgent', 'routine')),
  urgency smallint NOT NULL GENERATED ALWAYS AS (
    CASE priority WHEN 'stat' THEN 0 WHEN 'urgent' THEN 1 ELSE 2 END
  ) STORED,
  clinical_note text,
  status text NOT NULL DEFAULT 'ordered' CHECK (
    status IN ('ordered', 'collected', 'in_progress', 'resulted', 'verified', 'amended', 'cancelled')
  ),
  -- What is left to do: specimens to collect and to receive, results to enter, to verify and to acknowledge.
  to_collect integer NOT NULL,
  to_receive integer NOT NULL,
  to_result integer NOT NULL,
  to_verify integer NOT NULL,
  to_acknowledge integer NOT NULL,
  escalation smallint NOT NULL DEFAULT 0 CHECK (escalation BETWEEN 0 AND 2),
  is_open boolean NOT NULL GENERATED ALWAYS AS (
    to_collect + to_receive + to_result + to_verify + to_acknowledge > 0
  ) STORED,
  revision integer NOT NULL DEFAULT 1,
  collected_at timestamptz,
  received_at timestamptz,
  resulted_at timestamptz,
  verified_at timestamptz,
  reported_at timestamptz,
  amended_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(order_no)) STORED,
  CONSTRAINT lab_orders_order_no_key UNIQUE (order_no),
  CONSTRAINT lab_orders_cancelled CHECK (
    (status = 'cancelled') = (cancelled_at IS NOT NULL) AND (status = 'cancelled') = (cancel_reason IS NOT NULL)
  )
);
CREATE INDEX lab_orders_created_at ON lab_orders (created_at, id) INCLUDE (deleted_at);
CREATE INDEX lab_orders_updated_at ON lab_orders (updated_at, id) INCLUDE (deleted_at);
CREATE INDEX lab_orders_urgency ON lab_orders (urgency, created_at, id);
CREATE INDEX lab_orders_status ON lab_orders (status, urgency, created_at, id);
CREATE INDEX lab_orders_patient ON lab_orders (patient_id, created_at, id);
CREATE INDEX lab_orders_doctor ON lab_orders (doctor_id, created_at, id);
-- The worklists. Few orders are in them at a time.
CREATE INDEX lab_orders_to_collect ON lab_orders (urgency, created_at, id) WHERE to_collect > 0;
CREATE INDEX lab_orders_to_receive ON lab_orders (urgency, created_at, id) WHERE to_receive > 0;
CREATE INDEX lab_orders_to_result ON lab_orders (urgency, created_at, id) WHERE to_result > 0;
CREATE INDEX lab_orders_to_verify ON lab_orders (urgency, created_at, id) WHERE to_verify > 0;
CREATE INDEX lab_orders_to_acknowledge ON lab_orders (urgency, created_at, id) WHERE to_acknowledge > 0;
CREATE INDEX lab_orders_open ON lab_orders (patient_id) WHERE is_open;
CREATE INDEX lab_orders_search ON lab_orders USING gin (search extensions.gin_trgm_ops);
COMMENT ON COLUMN lab_orders.revision IS 'Goes up with each amendment. There is one report for each revision';

CREATE TABLE lab_specimens (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  accession_no text NOT NULL,
  order_id uuid NOT NULL REFERENCES lab_orders,
  patient_id uuid NOT NULL REFERENCES patients,
  type text NOT NULL,
  status text NOT NULL DEFAULT 'expected',
  collected_at timestamptz,
  collected_by text,
  received_at timestamptz,
  rejected_at timestamptz,
  rejected_by text,
  reject_reason text,
  replaces_id uuid UNIQUE REFERENCES lab_specimens,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  CONSTRAINT lab_specimens_accession_no_key UNIQUE (accession_no),
  CONSTRAINT lab_specimens_states CHECK (
    status IN ('expected', 'collected', 'received', 'rejected', 'cancelled')
    AND (status = 'rejected') = (num_nonnulls(rejected_at, rejected_by, reject_reason) = 3)
    AND num_nonnulls(collected_at, collected_by) IN (0, 2)
    AND (status IN ('expected', 'cancelled') OR collected_at IS NOT NULL)
    AND (status <> 'received' OR received_at IS NOT NULL)
  )
);
-- The tests of an order that need the same kind of specimen share one.
CREATE UNIQUE INDEX lab_specimens_one_of_a_type ON lab_specimens (order_id, lower(type))
  WHERE status IN ('expected', 'collected', 'received');
CREATE INDEX lab_specimens_order ON lab_specimens (order_id);
CREATE INDEX lab_specimens_patient ON lab_specimens (patient_id, updated_at, id);
CREATE INDEX lab_specimens_updated_at ON lab_specimens (updated_at, id);

CREATE TABLE lab_order_items (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  order_id uuid NOT NULL REFERENCES lab_orders,
  test_id uuid NOT NULL REFERENCES lab_tests,
  code text NOT NULL,
  name text NOT NULL,
  loinc text,
  panel_id uuid REFERENCES lab_panels,
  specimen_id uuid NOT NULL REFERENCES lab_specimens,
  position smallint NOT NULL,
  result_id uuid,
  resulted_at timestamptz,
  verified_at timestamptz,
  cancelled_at timestamptz,
  cancel_reason text,
  first_critical_id uuid,
  escalation smallint NOT NULL DEFAULT 0 CHECK (escalation BETWEEN 0 AND 2),
  CONSTRAINT lab_order_items_test UNIQUE (order_id, test_id),
  CONSTRAINT lab_order_items_cancelled CHECK (
    (cancelled_at IS NULL) = (cancel_reason IS NULL) AND (cancelled_at IS NULL OR result_id IS NULL)
  ),
  CONSTRAINT lab_order_items_verified CHECK (verified_at IS NULL OR result_id IS NOT NULL)
);
CREATE INDEX lab_order_items_test_id ON lab_order_items (test_id, order_id);
CREATE INDEX lab_order_items_specimen ON lab_order_items (specimen_id);
COMMENT ON COLUMN lab_order_items.result_id IS 'The current result. Its former versions, and results of a rejected specimen, stay in lab_results';
COMMENT ON COLUMN lab_order_items.name IS 'As the catalogue had it, with code and loinc, when the test was ordered';
COMMENT ON COLUMN lab_order_items.resulted_at IS 'When the first result of the current specimen was entered';
COMMENT ON COLUMN lab_order_items.first_critical_id IS 'The first of the critical results in a row that nobody had acknowledged when the current one was entered';

-- append-only: lab_results
CREATE TABLE lab_results (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  order_id uuid NOT NULL REFERENCES lab_orders,
  item_id uuid NOT NULL REFERENCES lab_order_items,
  patient_id uuid NOT NULL REFERENCES patients,
  specimen_id uuid NOT NULL REFERENCES lab_specimens,
  number integer NOT NULL,
  value text NOT NULL,
  unit text,
  flag text CHECK (flag IN ('LL', 'L', 'N', 'H', 'HH', 'A')),
  unflagged text CHECK (unflagged IN ('no_range', 'uncertain', 'text')),
  is_critical boolean NOT NULL,
  range jsonb,
  is_correction boolean NOT NULL,
  reason text,
  source text NOT NULL CHECK (source IN ('manual', 'analyser')),
  measured_at timestamptz,
  entered_by text NOT NULL,
  note text,
  supersedes_id uuid,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  CONSTRAINT lab_results_number UNIQUE (item_id, number),
  CONSTRAINT lab_results_of_item UNIQUE (item_id, id),
  CONSTRAINT lab_results_entrant UNIQUE (id, entered_by),
  -- Of two people who replace one result, one does.
  CONSTRAINT lab_results_replaced_once UNIQUE (supersedes_id),
  CONSTRAINT lab_results_supersedes FOREIGN KEY (item_id, supersedes_id) REFERENCES lab_results (item_id, id),
  CONSTRAINT lab_results_flagged CHECK (num_nonnulls(flag, unflagged) = 1),
  CONSTRAINT lab_results_corrections CHECK (is_correction = (reason IS NOT NULL) AND (NOT is_correction OR supersedes_id IS NOT NULL))
);
CREATE INDEX lab_results_created_at ON lab_results (created_at);
CREATE INDEX lab_results_order ON lab_results (order_id, created_at);
-- The same line of an analyser's file is one result, however often the file comes.
CREATE UNIQUE INDEX lab_results_of_analyser ON lab_results (item_id, specimen_id, value, measured_at)
  NULLS NOT DISTINCT WHERE source = 'analyser';
COMMENT ON TABLE lab_results IS 'Every version of every result, with the range as it was. Rows are only added';

ALTER TABLE lab_order_items ADD CONSTRAINT lab_order_items_result
  FOREIGN KEY (id, result_id) REFERENCES lab_results (item_id, id);
ALTER TABLE lab_order_items ADD CONSTRAINT lab_order_items_first_critical
  FOREIGN KEY (id, first_critical_id) REFERENCES lab_results (item_id, id);

-- append-only: lab_verifications
CREATE TABLE lab_verifications (
  result_id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  order_id uuid NOT NULL REFERENCES lab_orders,
  entered_by text NOT NULL,
  verified_by text NOT NULL,
  is_alone boolean NOT NULL,
  verified_at timestamptz NOT NULL DEFAULT moment(),
  CONSTRAINT lab_verifications_result FOREIGN KEY (result_id, entered_by) REFERENCES lab_results (id, entered_by),
  CONSTRAINT lab_verifications_by_another CHECK (is_alone OR verified_by <> entered_by)
);
CREATE INDEX lab_verifications_order ON lab_verifications (order_id);
COMMENT ON COLUMN lab_verifications.is_alone IS 'Whether the hospital lets people verify what they entered themselves';

-- append-only: lab_acknowledgements
CREATE TABLE lab_acknowledgements (
  result_id uuid PRIMARY KEY REFERENCES lab_results,
  hospital_id own_hospital_id,
  order_id uuid NOT NULL REFERENCES lab_orders,
  acknowledged_by text NOT NULL,
  acknowledged_at timestamptz NOT NULL DEFAULT moment()
);
CREATE INDEX lab_acknowledgements_order ON lab_acknowledgements (order_id);
COMMENT ON TABLE lab_acknowledgements IS 'Which doctor has seen which critical result, and when. Rows are only added';
