-- Amounts are whole numbers of the smallest unit of the hospital's currency. Rates are in basis points: 1900 is 19 %.
CREATE DOMAIN amount AS bigint CHECK (value BETWEEN 0 AND 999999999999999);
CREATE DOMAIN rate_bps AS integer CHECK (value BETWEEN 0 AND 10000);

CREATE TABLE price_items (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  code text NOT NULL,
  name text COLLATE "und-x-icu" NOT NULL,
  item_group text NOT NULL CHECK (item_group IN ('consultation', 'laboratory', 'pharmacy', 'other')),
  tax_bps rate_bps NOT NULL DEFAULT 0,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(code || ' ' || name)) STORED
);
CREATE UNIQUE INDEX price_items_code ON price_items (lower(code)) WHERE deleted_at IS NULL;
CREATE INDEX price_items_name ON price_items (name, id);
CREATE INDEX price_items_created_at ON price_items (created_at, id);
CREATE INDEX price_items_updated_at ON price_items (updated_at, id);
CREATE INDEX price_items_search ON price_items USING gin (search extensions.gin_trgm_ops);

CREATE TABLE prices (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  item_id uuid NOT NULL REFERENCES price_items,
  payer_group text,
  amount amount NOT NULL,
  valid_from date NOT NULL,
  valid_to date,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  CONSTRAINT prices_days CHECK (valid_from <= valid_to),
  CONSTRAINT prices_one EXCLUDE USING gist (
    item_id WITH =, coalesce(payer_group, '') WITH =, daterange(valid_from, valid_to, '[]') WITH &&
  ) WHERE (deleted_at IS NULL)
);
CREATE INDEX prices_created_at ON prices (created_at, id);
CREATE INDEX prices_updated_at ON prices (updated_at, id);
COMMENT ON COLUMN prices.payer_group IS 'Of whoever pays, such as an insurer. Empty: everybody for whose group there is no price';
COMMENT ON COLUMN prices.valid_to IS 'The last day. Empty: until another price begins';

-- What a patient has to pay for. Other modules add a charge in the transaction of what it is for.
CREATE TABLE charges (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  patient_id uuid NOT NULL REFERENCES patients,
  source_type text NOT NULL CHECK (source_type IN ('lab', 'dispense', 'visit')),
  source_id uuid NOT NULL,
  item_group text NOT NULL CHECK (item_group IN ('consultation', 'laboratory', 'pharmacy', 'other')),
  description text NOT NULL,
  unit_price amount NOT NULL,
  quantity integer NOT NULL CHECK (quantity > 0),
  tax_bps rate_bps NOT NULL,
  arose_on date NOT NULL,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'cancelled')),
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(description)) STORED,
  CONSTRAINT charges_source UNIQUE (source_type, source_id)
);
CREATE INDEX charges_search ON charges USING gin (search extensions.gin_trgm_ops);
CREATE INDEX charges_created_at ON charges (created_at, id) INCLUDE (deleted_at);
CREATE INDEX charges_patient ON charges (patient_id, created_at, id);
COMMENT ON COLUMN charges.arose_on IS 'The day in the time zone of the hospital';

CREATE TABLE invoices (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  invoice_no text,
  number_year smallint GENERATED ALWAYS AS (split_part(invoice_no, '-', 2)::smallint) STORED,
  number integer GENERATED ALWAYS AS (split_part(invoice_no, '-', 3)::integer) STORED,
  patient_id uuid NOT NULL REFERENCES patients,
  payer_id uuid NOT NULL REFERENCES patients,
  family_id uuid REFERENCES families,
  payer_group text,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  prices_include_tax boolean NOT NULL,
  discount_amount amount,
  discount_bps rate_bps,
  line_count integer NOT NULL DEFAULT 0,
  subtotal amount NOT NULL DEFAULT 0,
  discount amount NOT NULL DEFAULT 0,
  net amount NOT NULL DEFAULT 0,
  tax amount NOT NULL DEFAULT 0,
  total amount NOT NULL DEFAULT 0,
  paid amount NOT NULL DEFAULT 0,
  last_payment integer,
  balance bigint NOT NULL GENERATED ALWAYS AS (CASE WHEN status IN ('draft', 'void') THEN 0 ELSE total - paid END) STORED,
  notes text,
  due_on date,
  issued_at timestamptz,
  voided_at timestamptz,
  void_reason text,
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'issued', 'partially_paid', 'paid', 'void')),
  is_living boolean NOT NULL GENERATED ALWAYS AS (status <> 'void') STORED,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(coalesce(invoice_no, ''))) STORED,
  CONSTRAINT invoices_invoice_no_key UNIQUE (invoice_no),
  CONSTRAINT invoices_number UNIQUE (number_year, number),
  CONSTRAINT invoices_currency UNIQUE (id, currency),
  CONSTRAINT invoices_living UNIQUE (id, is_living),
  CONSTRAINT invoices_one_discount CHECK (num_nonnulls(discount_amount, discount_bps) <= 1),
  CONSTRAINT invoices_sums CHECK (
    net + tax = total AND subtotal - discount = CASE WHEN prices_include_tax THEN total ELSE net END
  ),
  CONSTRAINT invoices_paid CHECK (paid <= total AND (last_payment IS NOT NULL OR paid = 0)),
  CONSTRAINT invoices_issued CHECK ((invoice_no IS NULL) = (issued_at IS NULL)),
  CONSTRAINT invoices_state CHECK (
    CASE status
      WHEN 'draft' THEN invoice_no IS NULL AND last_payment IS NULL
      WHEN 'issued' THEN invoice_no IS NOT NULL AND paid = 0 AND total > 0
      WHEN 'partially_paid' THEN invoice_no IS NOT NULL AND paid > 0 AND paid < total
      WHEN 'paid' THEN invoice_no IS NOT NULL AND paid = total
      ELSE paid = 0
    END
  ),
  CONSTRAINT invoices_void CHECK (num_nonnulls(voided_at, void_reason) = CASE status WHEN 'void' THEN 2 ELSE 0 END)
);
CREATE INDEX invoices_created_at ON invoices (created_at, id) INCLUDE (deleted_at);
CREATE INDEX invoices_updated_at ON invoices (updated_at, id) INCLUDE (deleted_at);
CREATE INDEX invoices_issued_at ON invoices (issued_at, id) INCLUDE (deleted_at);
CREATE INDEX invoices_voided_at ON invoices (voided_at) WHERE voided_at IS NOT NULL;
CREATE INDEX invoices_patient ON invoices (patient_id, created_at, id);
CREATE INDEX invoices_payer ON invoices (payer_id, created_at, id);
CREATE INDEX invoices_open ON invoices (issued_at, id) WHERE status IN ('issued', 'partially_paid');
CREATE INDEX invoices_search ON invoices USING gin (search extensions.gin_trgm_ops);
COMMENT ON COLUMN invoices.payer_id IS 'Who pays: another member of the family, or the patient';
COMMENT ON COLUMN invoices.discount IS 'All that reduces the lines: their own discounts, benefits, and the discount of the invoice';
COMMENT ON COLUMN invoices.last_payment IS 'Number of the last payment of this invoice';

CREATE TABLE invoice_lines (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  invoice_id uuid NOT NULL,
  seq integer NOT NULL CHECK (seq > 0),
  item_id uuid REFERENCES price_items,
  charge_id uuid REFERENCES charges,
  item_group text NOT NULL CHECK (item_group IN ('consultation', 'laboratory', 'pharmacy', 'other')),
  description text NOT NULL,
  unit_price amount NOT NULL,
  quantity integer NOT NULL CHECK (quantity > 0),
  tax_bps rate_bps NOT NULL,
  discount_amount amount,
  discount_bps rate_bps,
  benefit_bps rate_bps NOT NULL DEFAULT 0,
  membership_no text,
  tier_name text,
  line_discount amount NOT NULL,
  benefit amount NOT NULL,
  invoice_discount amount NOT NULL,
  gross amount NOT NULL,
  net amount NOT NULL,
  tax amount NOT NULL,
  total amount NOT NULL,
  up_to amount NOT NULL,
  before amount NOT NULL GENERATED ALWAYS AS (up_to - total) STORED,
  former integer GENERATED ALWAYS AS (CASE WHEN seq > 1 THEN seq - 1 END) STORED,
  is_living boolean NOT NULL DEFAULT true,
  CONSTRAINT invoice_lines_invoice FOREIGN KEY (invoice_id, is_living) REFERENCES invoices (id, is_living)
    ON UPDATE CASCADE,
  CONSTRAINT invoice_lines_seq UNIQUE (invoice_id, seq),
  CONSTRAINT invoice_lines_up_to UNIQUE (invoice_id, seq, up_to),
  -- Each line begins with the sum of those before it, so the last one has the sum of all.
  CONSTRAINT invoice_lines_chain FOREIGN KEY (invoice_id, former, before)
    REFERENCES invoice_lines (invoice_id, seq, up_to) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT invoice_lines_first CHECK (seq > 1 OR before = 0),
  CONSTRAINT invoice_lines_one_discount CHECK (num_nonnulls(discount_amount, discount_bps) <= 1),
  CONSTRAINT invoice_lines_membership CHECK (
    num_nonnulls(membership_no, tier_name) = CASE WHEN benefit_bps > 0 THEN 2 ELSE 0 END
  ),
  CONSTRAINT invoice_lines_sums CHECK (
    gross = unit_price * quantity AND net + tax = total
    AND gross - line_discount - benefit - invoice_discount IN (net, total)
  )
);
-- A charge is on one invoice at most that is not void.
CREATE UNIQUE INDEX invoice_lines_charge ON invoice_lines (charge_id) WHERE charge_id IS NOT NULL AND is_living;
COMMENT ON COLUMN invoice_lines.membership_no IS 'The VIP membership that gives the benefit. Its tier is named as it was called then';
COMMENT ON COLUMN invoice_lines.up_to IS 'Sum of the totals of this line and those before it';
COMMENT ON COLUMN invoice_lines.is_living IS 'As of the invoice';

-- The total of an invoice is the sum of its lines.
ALTER TABLE invoices ADD COLUMN last_line integer GENERATED ALWAYS AS (nullif(line_count, 0)) STORED;
ALTER TABLE invoices ADD CONSTRAINT invoices_total FOREIGN KEY (id, last_line, total)
  REFERENCES invoice_lines (invoice_id, seq, up_to) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE invoices ADD CONSTRAINT invoices_without_lines CHECK (line_count > 0 OR total = 0);

-- append-only: payments
CREATE TABLE payments (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  invoice_id uuid NOT NULL,
  patient_id uuid NOT NULL REFERENCES patients,
  currency text NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  kind text NOT NULL CHECK (kind IN ('payment')),
  amount bigint NOT NULL CHECK (amount > 0),
  paid amount NOT NULL,
  before amount NOT NULL GENERATED ALWAYS AS (paid - amount) STORED,
  former integer GENERATED ALWAYS AS (CASE WHEN number > 1 THEN number - 1 END) STORED,
  part_count integer NOT NULL CHECK (part_count > 0),
  receipt_no text NOT NULL,
  number_year smallint NOT NULL GENERATED ALWAYS AS (split_part(receipt_no, '-', 2)::smallint) STORED,
  receipt_number integer NOT NULL GENERATED ALWAYS AS (split_part(receipt_no, '-', 3)::integer) STORED,
  paid_at timestamptz NOT NULL,
  received_by text NOT NULL,
  received_by_name text,
  CONSTRAINT payments_receipt_no_key UNIQUE (receipt_no),
  CONSTRAINT payments_receipt UNIQUE (number_year, receipt_number),
  CONSTRAINT payments_invoice FOREIGN KEY (invoice_id, currency) REFERENCES invoices (id, currency),
  CONSTRAINT payments_number UNIQUE (invoice_id, number),
  CONSTRAINT payments_paid UNIQUE (invoice_id, number, paid),
  -- Each payment begins with what was paid before it, so the last one has the sum of all.
  CONSTRAINT payments_chain FOREIGN KEY (invoice_id, former, before) REFERENCES payments (invoice_id, number, paid),
  CONSTRAINT payments_first CHECK (number > 1 OR before = 0)
);
CREATE INDEX payments_paid_at ON payments (paid_at, id);
CREATE INDEX payments_patient ON payments (patient_id, paid_at, id);
COMMENT ON COLUMN payments.received_by_name IS 'As the person was called then';
COMMENT ON TABLE payments IS 'Every payment of every invoice, with what is paid after it. Each has one receipt. Rows are only added';

-- What is paid of an invoice is what its last payment says.
ALTER TABLE invoices ADD CONSTRAINT invoices_last_payment FOREIGN KEY (id, last_payment, paid)
  REFERENCES payments (invoice_id, number, paid) DEFERRABLE INITIALLY DEFERRED;

-- append-only: payment_parts
CREATE TABLE payment_parts (
  payment_id uuid NOT NULL REFERENCES payments,
  hospital_id own_hospital_id,
  position integer NOT NULL CHECK (position > 0),
  method text NOT NULL CHECK (method IN ('CASH', 'CARD', 'TRANSFER', 'MOBILE', 'INSURANCE', 'ADVANCE')),
  amount bigint NOT NULL CHECK (amount > 0),
  rounding bigint NOT NULL DEFAULT 0,
  tendered amount,
  change amount,
  reference text,
  up_to bigint NOT NULL,
  before bigint NOT NULL GENERATED ALWAYS AS (up_to - amount) STORED,
  former integer GENERATED ALWAYS AS (CASE WHEN position > 1 THEN position - 1 END) STORED,
  PRIMARY KEY (payment_id, position),
  CONSTRAINT payment_parts_up_to UNIQUE (payment_id, position, up_to),
  CONSTRAINT payment_parts_chain FOREIGN KEY (payment_id, former, before)
    REFERENCES payment_parts (payment_id, position, up_to),
  CONSTRAINT payment_parts_first CHECK (position > 1 OR before = 0),
  CONSTRAINT payment_parts_cash CHECK (
    CASE
      WHEN method <> 'CASH' THEN rounding = 0 AND num_nonnulls(tendered, change) = 0
      WHEN tendered IS NULL THEN change IS NULL
      ELSE tendered - change = amount + rounding
    END
  )
);
COMMENT ON COLUMN payment_parts.rounding IS 'What cash is more than the amount, or less, because there are no smaller coins. It is no part of the invoice';

-- The amount of a payment is the sum of its parts.
ALTER TABLE payments ADD CONSTRAINT payments_parts FOREIGN KEY (id, part_count, amount)
  REFERENCES payment_parts (payment_id, position, up_to) DEFERRABLE INITIALLY DEFERRED;

-- append-only: receipt_prints
CREATE TABLE receipt_prints (
  payment_id uuid NOT NULL REFERENCES payments,
  hospital_id own_hospital_id,
  copy integer NOT NULL CHECK (copy > 0),
  printed_by text NOT NULL,
  printed_by_name text,
  printed_at timestamptz NOT NULL DEFAULT moment(),
  PRIMARY KEY (payment_id, copy)
);
COMMENT ON COLUMN receipt_prints.printed_by_name IS 'As the person was called then';
COMMENT ON TABLE receipt_prints IS 'How often each receipt was printed again, and by whom. Rows are only added';
