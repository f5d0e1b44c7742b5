CREATE TABLE drugs (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  code text NOT NULL,
  name text COLLATE "und-x-icu" NOT NULL,
  ingredients jsonb NOT NULL CHECK (jsonb_typeof(ingredients) = 'array' AND ingredients <> '[]'),
  allergy_groups jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(allergy_groups) = 'array'),
  form text NOT NULL,
  strength text,
  unit text NOT NULL,
  is_controlled boolean NOT NULL DEFAULT false,
  max_daily_dose numeric(9, 3) CHECK (max_daily_dose > 0),
  mg_per_unit numeric(9, 3) CHECK (mg_per_unit > 0),
  max_daily_mg_per_kg numeric(9, 3) CHECK (max_daily_mg_per_kg > 0),
  reorder_level integer NOT NULL DEFAULT 0 CHECK (reorder_level >= 0),
  price bigint CHECK (price >= 0),
  tax_bps integer NOT NULL DEFAULT 0 CHECK (tax_bps BETWEEN 0 AND 10000),
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (
    search_text(code || ' ' || name || ' ' || ingredients::text || ' ' || coalesce(strength, ''))
  ) STORED,
  CONSTRAINT drugs_by_weight CHECK ((mg_per_unit IS NULL) = (max_daily_mg_per_kg IS NULL))
);
CREATE UNIQUE INDEX drugs_code ON drugs (lower(code)) WHERE deleted_at IS NULL;
CREATE INDEX drugs_name ON drugs (name, id);
CREATE INDEX drugs_search ON drugs USING gin (search extensions.gin_trgm_ops);
COMMENT ON COLUMN drugs.unit IS 'The smallest unit that is dispensed. Quantities, doses and prices are of it';
COMMENT ON COLUMN drugs.price IS 'In minor units of the currency of the hospital';

CREATE TABLE drug_interactions (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  substance_a text NOT NULL,
  substance_b text NOT NULL,
  severity text NOT NULL CHECK (severity IN ('minor', 'moderate', 'severe')),
  effect text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(substance_a || ' ' || substance_b)) STORED,
  CONSTRAINT drug_interactions_of_two CHECK (search_text(substance_a) <> search_text(substance_b))
);
-- Whichever substance comes first, and however it is spelled.
CREATE UNIQUE INDEX drug_interactions_pair ON drug_interactions (
  least(search_text(substance_a), search_text(substance_b)), greatest(search_text(substance_a), search_text(substance_b))
) WHERE deleted_at IS NULL;
CREATE INDEX drug_interactions_created_at ON drug_interactions (created_at, id);
COMMENT ON TABLE drug_interactions IS 'Pairs of substances that a patient should not get together. They apply to every drug with these ingredients';

CREATE TABLE stock_batches (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  drug_id uuid NOT NULL REFERENCES drugs,
  batch_no text NOT NULL,
  location text NOT NULL,
  expires_on date NOT NULL,
  cost_price bigint CHECK (cost_price >= 0),
  on_hand integer NOT NULL,
  last_movement integer NOT NULL,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'quarantined', 'recalled')),
  status_reason text,
  returned_from_id uuid UNIQUE,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(batch_no)) STORED,
  CONSTRAINT stock_batches_on_hand CHECK (on_hand >= 0),
  CONSTRAINT stock_batches_of_drug UNIQUE (drug_id, id),
  CONSTRAINT stock_batches_returned_from FOREIGN KEY (drug_id, returned_from_id) REFERENCES stock_batches (drug_id, id),
  -- What came back from patients is never dispensed from where it is kept.
  CONSTRAINT stock_batches_returned CHECK (returned_from_id IS NULL OR status <> 'active')
);
CREATE UNIQUE INDEX stock_batches_batch_no ON stock_batches (drug_id, lower(batch_no), lower(location))
  WHERE returned_from_id IS NULL;
CREATE INDEX stock_batches_drug ON stock_batches (drug_id, expires_on, id);
CREATE INDEX stock_batches_expiring ON stock_batches (expires_on, id);
CREATE INDEX stock_batches_created_at ON stock_batches (created_at, id);
CREATE INDEX stock_batches_number ON stock_batches (lower(batch_no));
COMMENT ON COLUMN stock_batches.expires_on IS 'The last day on which it may be dispensed';
COMMENT ON COLUMN stock_batches.returned_from_id IS 'Set on the units of that batch that patients have returned, which are kept apart';

-- append-only: stock_movements
CREATE TABLE stock_movements (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  batch_id uuid NOT NULL,
  drug_id uuid NOT NULL,
  number integer NOT NULL,
  kind text NOT NULL,
  quantity integer NOT NULL,
  balance integer NOT NULL CHECK (balance >= 0),
  before integer NOT NULL GENERATED ALWAYS AS (balance - quantity) STORED,
  former integer GENERATED ALWAYS AS (CASE WHEN number > 1 THEN number - 1 END) STORED,
  reason text,
  dispense_id uuid,
  count_id uuid,
  other_batch_id uuid,
  moved_by text NOT NULL,
  moved_at timestamptz NOT NULL DEFAULT moment(),
  CONSTRAINT stock_movements_other FOREIGN KEY (drug_id, other_batch_id) REFERENCES stock_batches (drug_id, id),
  CONSTRAINT stock_movements_batch FOREIGN KEY (drug_id, batch_id) REFERENCES stock_batches (drug_id, id),
  CONSTRAINT stock_movements_number UNIQUE (batch_id, number),
  CONSTRAINT stock_movements_balance UNIQUE (batch_id, number, balance),
  -- Each movement begins with the balance of the former one, so the last balance is the sum of all.
  CONSTRAINT stock_movements_chain FOREIGN KEY (batch_id, former, before)
    REFERENCES stock_movements (batch_id, number, balance),
  CONSTRAINT stock_movements_first CHECK (number > 1 OR (number = 1 AND before = 0)),
  CONSTRAINT stock_movements_kind CHECK (
    CASE kind
      WHEN 'received' THEN quantity > 0
      WHEN 'returned' THEN quantity > 0 AND dispense_id IS NOT NULL
      WHEN 'dispensed' THEN quantity < 0 AND dispense_id IS NOT NULL
      WHEN 'discarded' THEN quantity < 0 AND reason IS NOT NULL
      WHEN 'adjusted' THEN quantity <> 0 AND reason IS NOT NULL
      WHEN 'counted' THEN quantity <> 0 AND count_id IS NOT NULL
      WHEN 'released' THEN quantity <> 0
      WHEN 'transferred' THEN quantity <> 0 AND other_batch_id <> batch_id
      ELSE false
    END
  )
);
CREATE INDEX stock_movements_dispense ON stock_movements (dispense_id) WHERE dispense_id IS NOT NULL;

-- What is on hand is the balance of the last movement. Deferred, as a batch and its first movement refer to each other.
ALTER TABLE stock_batches ADD CONSTRAINT stock_batches_last_movement
  FOREIGN KEY (id, last_movement, on_hand) REFERENCES stock_movements (batch_id, number, balance)
  DEFERRABLE INITIALLY DEFERRED;
COMMENT ON TABLE stock_movements IS 'Every change of the stock of every batch, with the balance after it. Rows are only added';

CREATE TABLE stock_counts (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  count_no text NOT NULL,
  note text,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'submitted', 'approved', 'rejected')),
  submitted_by text,
  submitted_at timestamptz,
  decided_by text,
  decided_at timestamptz,
  reject_reason text,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  CONSTRAINT stock_counts_count_no_key UNIQUE (count_no),
  CONSTRAINT stock_counts_decided CHECK (
    (status IN ('approved', 'rejected')) = (num_nonnulls(decided_by, decided_at) = 2)
    AND (status = 'open' OR num_nonnulls(submitted_by, submitted_at) = 2)
    AND (status = 'rejected') = (reject_reason IS NOT NULL)
  )
);
CREATE INDEX stock_counts_created_at ON stock_counts (created_at, id);
CREATE INDEX stock_counts_updated_at ON stock_counts (updated_at, id);

CREATE TABLE stock_count_lines (
  count_id uuid NOT NULL REFERENCES stock_counts,
  hospital_id own_hospital_id,
  batch_id uuid NOT NULL REFERENCES stock_batches,
  expected integer NOT NULL,
  counted integer NOT NULL CHECK (counted >= 0),
  counted_by text NOT NULL,
  counted_at timestamptz NOT NULL DEFAULT moment(),
  PRIMARY KEY (count_id, batch_id)
);
COMMENT ON COLUMN stock_count_lines.expected IS 'On hand at the moment of counting. What is dispensed between then and the approval does not count as a difference';

-- A movement refers to the count that caused it.
ALTER TABLE stock_movements ADD CONSTRAINT stock_movements_count FOREIGN KEY (count_id) REFERENCES stock_counts;

CREATE TABLE stock_warnings (
  hospital_id own_hospital_id,
  kind text NOT NULL CHECK (kind IN ('below_reorder_level', 'expiring', 'only_expired')),
  drug_id uuid NOT NULL REFERENCES drugs,
  batch_id uuid,
  check_id uuid NOT NULL,
  warned_at timestamptz NOT NULL DEFAULT moment(),
  CONSTRAINT stock_warnings_batch FOREIGN KEY (drug_id, batch_id) REFERENCES stock_batches (drug_id, id),
  CONSTRAINT stock_warnings_subject CHECK ((kind = 'expiring') = (batch_id IS NOT NULL))
);
CREATE UNIQUE INDEX stock_warnings_once ON stock_warnings (kind, coalesce(batch_id, drug_id));
CREATE INDEX stock_warnings_check ON stock_warnings (check_id);
COMMENT ON TABLE stock_warnings IS 'What pharmacists were told. A row stays for as long as its reason does, so nobody is told twice';
COMMENT ON COLUMN stock_warnings.check_id IS 'The check of the stock that found it. One mail has all that a check has found';
