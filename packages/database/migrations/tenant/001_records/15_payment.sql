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
  department_id uuid REFERENCES departments,
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
CREATE INDEX price_items_department ON price_items (department_id);
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
  insurer text,
  policy_no text,
  coverage_bps rate_bps NOT NULL DEFAULT 0,
  insured amount NOT NULL DEFAULT 0,
  declined amount NOT NULL DEFAULT 0,
  decline_reason text,
  credited amount NOT NULL DEFAULT 0,
  credited_insured amount NOT NULL DEFAULT 0,
  last_credit integer,
  paid amount NOT NULL DEFAULT 0,
  refunded amount NOT NULL DEFAULT 0,
  insurer_paid amount NOT NULL DEFAULT 0,
  last_payment integer,
  balance bigint NOT NULL GENERATED ALWAYS AS (
    CASE WHEN status IN ('draft', 'void') THEN 0 ELSE total - credited - paid + refunded END
  ) STORED,
  insurer_balance bigint NOT NULL GENERATED ALWAYS AS (
    CASE WHEN status IN ('draft', 'void') THEN 0 ELSE insured - declined - credited_insured - insurer_paid END
  ) STORED,
  notes text,
  due_on date,
  issued_at timestamptz,
  voided_at timestamptz,
  void_reason text,
  status text NOT NULL DEFAULT 'draft' CHECK (
    status IN ('draft', 'issued', 'partially_paid', 'paid', 'partially_refunded', 'refunded', 'void')
  ),
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
  CONSTRAINT invoices_insurer CHECK (coverage_bps + insured = 0 OR insurer IS NOT NULL),
  CONSTRAINT invoices_paid CHECK (refunded <= paid AND (last_payment IS NOT NULL OR paid = 0)),
  CONSTRAINT invoices_credited CHECK (
    credited <= total AND credited_insured <= credited AND (last_credit IS NOT NULL OR credited = 0)
  ),
  -- Neither the patient nor the insurer pays more than their own part.
  CONSTRAINT invoices_balances CHECK (
    status IN ('draft', 'void') OR (
      insured - declined - credited_insured - insurer_paid >= 0
      AND (total - credited - paid + refunded) - (insured - declined - credited_insured - insurer_paid) >= 0
    )
  ),
  CONSTRAINT invoices_issued CHECK ((invoice_no IS NULL) = (issued_at IS NULL)),
  CONSTRAINT invoices_state CHECK (
    CASE status
      WHEN 'draft' THEN invoice_no IS NULL AND last_payment IS NULL AND last_credit IS NULL AND declined = 0
      WHEN 'issued' THEN invoice_no IS NOT NULL AND paid = refunded AND paid - refunded < total - credited
      WHEN 'partially_paid' THEN invoice_no IS NOT NULL AND paid > refunded AND paid - refunded < total - credited
      WHEN 'paid' THEN invoice_no IS NOT NULL AND paid - refunded = total - credited AND (refunded = 0 OR credited = 0)
      WHEN 'partially_refunded' THEN
        paid - refunded = total - credited AND refunded > 0 AND credited > 0 AND credited < total
      WHEN 'refunded' THEN paid - refunded = total - credited AND refunded > 0 AND credited = total
      ELSE paid = 0 AND credited = 0
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
COMMENT ON COLUMN invoices.insured IS 'What of the total the insurer pays';
COMMENT ON COLUMN invoices.declined IS 'What of it the insurer has refused to pay, and the patient pays';
COMMENT ON COLUMN invoices.credited IS 'What of the total is cancelled by credit notes';
COMMENT ON COLUMN invoices.paid IS 'All payments that are not void, before refunds';
COMMENT ON COLUMN invoices.insurer_paid IS 'What of it the insurer has paid, after refunds';
COMMENT ON COLUMN invoices.insurer_balance IS 'What of the balance the insurer pays';
COMMENT ON COLUMN invoices.last_payment IS 'Number of the last entry of this invoice in payments';
COMMENT ON COLUMN invoices.last_credit IS 'Number of the last credit note of this invoice';

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
  coverage_bps rate_bps NOT NULL DEFAULT 0,
  line_discount amount NOT NULL,
  benefit amount NOT NULL,
  invoice_discount amount NOT NULL,
  gross amount NOT NULL,
  net amount NOT NULL,
  tax amount NOT NULL,
  total amount NOT NULL,
  insured amount NOT NULL DEFAULT 0,
  credited amount NOT NULL DEFAULT 0,
  up_to amount NOT NULL,
  before amount NOT NULL GENERATED ALWAYS AS (up_to - total) STORED,
  insured_up_to amount NOT NULL DEFAULT 0,
  insured_before amount NOT NULL GENERATED ALWAYS AS (insured_up_to - insured) STORED,
  former integer GENERATED ALWAYS AS (CASE WHEN seq > 1 THEN seq - 1 END) STORED,
  is_living boolean NOT NULL DEFAULT true,
  CONSTRAINT invoice_lines_invoice FOREIGN KEY (invoice_id, is_living) REFERENCES invoices (id, is_living)
    ON UPDATE CASCADE,
  CONSTRAINT invoice_lines_seq UNIQUE (invoice_id, seq),
  CONSTRAINT invoice_lines_up_to UNIQUE (invoice_id, seq, up_to, insured_up_to),
  -- Each line begins with the sum of those before it, so the last one has the sum of all.
  CONSTRAINT invoice_lines_chain FOREIGN KEY (invoice_id, former, before, insured_before)
    REFERENCES invoice_lines (invoice_id, seq, up_to, insured_up_to) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT invoice_lines_first CHECK (seq > 1 OR before + insured_before = 0),
  CONSTRAINT invoice_lines_insured CHECK (insured <= total),
  CONSTRAINT invoice_lines_credited CHECK (credited <= total),
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
COMMENT ON COLUMN invoice_lines.insured IS 'What of the total the insurer pays';
COMMENT ON COLUMN invoice_lines.credited IS 'What of the total is cancelled by credit notes';
COMMENT ON COLUMN invoice_lines.up_to IS 'Sum of the totals of this line and those before it';
COMMENT ON COLUMN invoice_lines.insured_up_to IS 'The same for what the insurer pays';
COMMENT ON COLUMN invoice_lines.is_living IS 'As of the invoice';

-- The total of an invoice is the sum of its lines.
ALTER TABLE invoices ADD COLUMN last_line integer GENERATED ALWAYS AS (nullif(line_count, 0)) STORED;
ALTER TABLE invoices ADD CONSTRAINT invoices_total FOREIGN KEY (id, last_line, total, insured)
  REFERENCES invoice_lines (invoice_id, seq, up_to, insured_up_to) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE invoices ADD CONSTRAINT invoices_without_lines CHECK (line_count > 0 OR total = 0);

-- The time at a counter for which a cashier answers. What should be in the drawer is computed from payments.
CREATE TABLE shifts (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  shift_no text NOT NULL,
  cashier text NOT NULL,
  cashier_name text,
  counter text NOT NULL,
  currency text NOT NULL,
  opening_float amount NOT NULL,
  opened_on date NOT NULL,
  opened_at timestamptz NOT NULL,
  closed_at timestamptz,
  last_count integer,
  difference bigint,
  note text,
  decided_by text,
  decided_by_name text,
  decided_at timestamptz,
  decision_note text,
  status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'closed', 'disputed', 'approved')),
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  CONSTRAINT shifts_shift_no_key UNIQUE (shift_no),
  CONSTRAINT shifts_currency UNIQUE (id, currency),
  CONSTRAINT shifts_closed CHECK ((status = 'open') = (closed_at IS NULL) AND opened_at <= closed_at),
  CONSTRAINT shifts_counted CHECK (num_nonnulls(closed_at, last_count, difference) IN (0, 3)),
  CONSTRAINT shifts_decided CHECK (
    num_nonnulls(decided_by, decided_at) IN (0, 2)
    AND (status NOT IN ('disputed', 'approved') OR (decided_by IS NOT NULL AND decided_by <> cashier))
  )
);
CREATE UNIQUE INDEX shifts_cashier ON shifts (cashier) WHERE status = 'open';
CREATE UNIQUE INDEX shifts_counter ON shifts (lower(counter)) WHERE status = 'open';
CREATE INDEX shifts_created_at ON shifts (created_at, id);
CREATE INDEX shifts_updated_at ON shifts (updated_at, id);
CREATE INDEX shifts_opened_at ON shifts (opened_at, id);
COMMENT ON COLUMN shifts.cashier_name IS 'As the person was called then';
COMMENT ON COLUMN shifts.opened_on IS 'The day in the time zone of the hospital. The whole shift belongs to it';
COMMENT ON COLUMN shifts.difference IS 'What the last count found more than expected, or less';

-- append-only: shift_counts
CREATE TABLE shift_counts (
  shift_id uuid NOT NULL REFERENCES shifts,
  hospital_id own_hospital_id,
  number integer NOT NULL CHECK (number > 0),
  denominations jsonb NOT NULL,
  declared jsonb NOT NULL,
  expected jsonb NOT NULL,
  difference bigint NOT NULL,
  note text,
  counted_by text NOT NULL,
  counted_by_name text,
  counted_at timestamptz NOT NULL,
  PRIMARY KEY (shift_id, number),
  CONSTRAINT shift_counts_difference UNIQUE (shift_id, number, difference)
);
COMMENT ON COLUMN shift_counts.denominations IS 'Pieces by face value, in the smallest unit of the currency';
COMMENT ON COLUMN shift_counts.declared IS 'Amounts by method';
COMMENT ON COLUMN shift_counts.expected IS 'What payments say, by method';
COMMENT ON TABLE shift_counts IS 'Each count at the end of a shift. Rows are only added';
ALTER TABLE shifts ADD CONSTRAINT shifts_last_count FOREIGN KEY (id, last_count, difference)
  REFERENCES shift_counts (shift_id, number, difference) DEFERRABLE INITIALLY DEFERRED;

-- Cash that goes from a drawer to another one, or to the safe.
CREATE TABLE shift_transfers (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  from_shift_id uuid NOT NULL REFERENCES shifts,
  to_shift_id uuid REFERENCES shifts,
  amount bigint NOT NULL CHECK (amount > 0),
  note text,
  decided_by text,
  decided_by_name text,
  decided_at timestamptz,
  status text NOT NULL DEFAULT 'offered' CHECK (status IN ('offered', 'accepted', 'declined')),
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  CONSTRAINT shift_transfers_other CHECK (from_shift_id <> to_shift_id),
  CONSTRAINT shift_transfers_decided CHECK (
    num_nonnulls(decided_by, decided_at) = CASE status WHEN 'offered' THEN 0 ELSE 2 END
    AND (status <> 'accepted' OR decided_by <> created_by)
  )
);
CREATE INDEX shift_transfers_from ON shift_transfers (from_shift_id);
CREATE INDEX shift_transfers_to ON shift_transfers (to_shift_id);
CREATE INDEX shift_transfers_created_at ON shift_transfers (created_at, id);
CREATE INDEX shift_transfers_updated_at ON shift_transfers (updated_at, id);
COMMENT ON COLUMN shift_transfers.to_shift_id IS 'Empty: to the safe';

-- What somebody pays ahead, for invoices to come.
CREATE TABLE deposits (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  deposit_no text NOT NULL,
  patient_id uuid NOT NULL REFERENCES patients,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  note text,
  received amount NOT NULL DEFAULT 0,
  returned amount NOT NULL DEFAULT 0,
  used amount NOT NULL DEFAULT 0,
  last_payment integer,
  balance bigint NOT NULL GENERATED ALWAYS AS (received - returned - used) STORED,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  CONSTRAINT deposits_deposit_no_key UNIQUE (deposit_no),
  CONSTRAINT deposits_currency UNIQUE (id, currency),
  CONSTRAINT deposits_used CHECK (returned + used <= received)
);
CREATE INDEX deposits_created_at ON deposits (created_at, id);
CREATE INDEX deposits_updated_at ON deposits (updated_at, id);
CREATE INDEX deposits_patient ON deposits (patient_id, created_at, id);
COMMENT ON COLUMN deposits.used IS 'What has paid invoices';

-- append-only: payments
CREATE TABLE payments (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  invoice_id uuid,
  deposit_id uuid,
  account_id uuid NOT NULL GENERATED ALWAYS AS (coalesce(invoice_id, deposit_id)) STORED,
  patient_id uuid NOT NULL REFERENCES patients,
  currency text NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  kind text NOT NULL CHECK (kind IN ('payment', 'refund', 'void')),
  of_payment uuid,
  shift_id uuid,
  amount bigint NOT NULL CHECK (amount > 0),
  insured amount NOT NULL DEFAULT 0,
  paid amount NOT NULL,
  refunded amount NOT NULL,
  insurer_paid amount NOT NULL,
  paid_before amount NOT NULL GENERATED ALWAYS AS (
    paid - CASE kind WHEN 'payment' THEN amount WHEN 'void' THEN -amount ELSE 0 END
  ) STORED,
  refunded_before amount NOT NULL GENERATED ALWAYS AS (refunded - CASE kind WHEN 'refund' THEN amount ELSE 0 END) STORED,
  insurer_paid_before amount NOT NULL GENERATED ALWAYS AS (
    insurer_paid - CASE kind WHEN 'payment' THEN insured ELSE -insured END
  ) STORED,
  balance_after amount NOT NULL,
  former integer GENERATED ALWAYS AS (CASE WHEN number > 1 THEN number - 1 END) STORED,
  part_count integer NOT NULL CHECK (part_count > 0),
  reason text,
  receipt_no text NOT NULL,
  number_year smallint NOT NULL GENERATED ALWAYS AS (split_part(receipt_no, '-', 2)::smallint) STORED,
  receipt_number integer NOT NULL GENERATED ALWAYS AS (split_part(receipt_no, '-', 3)::integer) STORED,
  paid_at timestamptz NOT NULL,
  received_by text NOT NULL,
  received_by_name text,
  CONSTRAINT payments_receipt_no_key UNIQUE (receipt_no),
  CONSTRAINT payments_receipt UNIQUE (number_year, receipt_number),
  CONSTRAINT payments_account CHECK (num_nonnulls(invoice_id, deposit_id) = 1),
  CONSTRAINT payments_invoice FOREIGN KEY (invoice_id, currency) REFERENCES invoices (id, currency),
  CONSTRAINT payments_deposit FOREIGN KEY (deposit_id, currency) REFERENCES deposits (id, currency),
  CONSTRAINT payments_shift FOREIGN KEY (shift_id, currency) REFERENCES shifts (id, currency),
  CONSTRAINT payments_insured CHECK (insured <= amount AND (insured = 0 OR invoice_id IS NOT NULL)),
  CONSTRAINT payments_number UNIQUE (account_id, number),
  CONSTRAINT payments_paid UNIQUE (account_id, number, paid, refunded, insurer_paid),
  CONSTRAINT payments_received UNIQUE (account_id, number, paid, refunded),
  -- Each entry begins with the sums of the one before it, so the last one has the sums of all.
  CONSTRAINT payments_chain FOREIGN KEY (account_id, former, paid_before, refunded_before, insurer_paid_before)
    REFERENCES payments (account_id, number, paid, refunded, insurer_paid),
  CONSTRAINT payments_first CHECK (number > 1 OR paid_before + refunded_before + insurer_paid_before = 0),
  CONSTRAINT payments_whole UNIQUE (id, account_id, amount, insured, shift_id),
  -- A void entry takes back the whole payment, in its own shift.
  CONSTRAINT payments_void FOREIGN KEY (of_payment, account_id, amount, insured, shift_id)
    REFERENCES payments (id, account_id, amount, insured, shift_id),
  CONSTRAINT payments_void_of CHECK ((kind = 'void') = (of_payment IS NOT NULL) AND (kind <> 'void' OR shift_id IS NOT NULL))
);
CREATE UNIQUE INDEX payments_void_once ON payments (of_payment) WHERE of_payment IS NOT NULL;
CREATE INDEX payments_paid_at ON payments (paid_at, id);
CREATE INDEX payments_patient ON payments (patient_id, paid_at, id);
CREATE INDEX payments_of_shift ON payments (shift_id, paid_at, id) WHERE shift_id IS NOT NULL;
COMMENT ON COLUMN payments.account_id IS 'The invoice or the deposit';
COMMENT ON COLUMN payments.of_payment IS 'Of a void entry: the payment that it takes back';
COMMENT ON COLUMN payments.shift_id IS 'Of the cashier. Empty: there was no open shift';
COMMENT ON COLUMN payments.insured IS 'What of the amount is the insurer''s part';
COMMENT ON COLUMN payments.balance_after IS 'What was still to be paid after it, or what was left of the deposit';
COMMENT ON COLUMN payments.received_by_name IS 'As the person was called then';
COMMENT ON TABLE payments IS 'Every payment, refund and void entry of every invoice and deposit, with the sums after it. Each has one receipt. Rows are only added';

-- What is paid of an invoice is what its last entry says, and what is left of a deposit too.
ALTER TABLE invoices ADD CONSTRAINT invoices_last_payment FOREIGN KEY (id, last_payment, paid, refunded, insurer_paid)
  REFERENCES payments (account_id, number, paid, refunded, insurer_paid) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE deposits ADD CONSTRAINT deposits_last_payment FOREIGN KEY (id, last_payment, received, returned)
  REFERENCES payments (account_id, number, paid, refunded) DEFERRABLE INITIALLY DEFERRED;

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
  deposit_id uuid REFERENCES deposits,
  up_to bigint NOT NULL,
  before bigint NOT NULL GENERATED ALWAYS AS (up_to - amount) STORED,
  insured_up_to bigint NOT NULL,
  insured_before bigint NOT NULL GENERATED ALWAYS AS (
    insured_up_to - CASE method WHEN 'INSURANCE' THEN amount ELSE 0 END
  ) STORED,
  former integer GENERATED ALWAYS AS (CASE WHEN position > 1 THEN position - 1 END) STORED,
  PRIMARY KEY (payment_id, position),
  CONSTRAINT payment_parts_up_to UNIQUE (payment_id, position, up_to, insured_up_to),
  CONSTRAINT payment_parts_chain FOREIGN KEY (payment_id, former, before, insured_before)
    REFERENCES payment_parts (payment_id, position, up_to, insured_up_to),
  CONSTRAINT payment_parts_first CHECK (position > 1 OR before + insured_before = 0),
  CONSTRAINT payment_parts_deposit CHECK ((method = 'ADVANCE') = (deposit_id IS NOT NULL)),
  CONSTRAINT payment_parts_cash CHECK (
    CASE
      WHEN method <> 'CASH' THEN rounding = 0 AND num_nonnulls(tendered, change) = 0
      WHEN tendered IS NULL THEN change IS NULL
      ELSE tendered - change = amount + rounding
    END
  )
);
CREATE INDEX payment_parts_of_deposit ON payment_parts (deposit_id) WHERE deposit_id IS NOT NULL;
COMMENT ON COLUMN payment_parts.rounding IS 'What cash is more than the amount, or less, because there are no smaller coins. It is no part of the invoice';
COMMENT ON COLUMN payment_parts.deposit_id IS 'The deposit that pays, or that gets the money back';

-- The amount of a payment is the sum of its parts.
ALTER TABLE payments ADD CONSTRAINT payments_parts FOREIGN KEY (id, part_count, amount, insured)
  REFERENCES payment_parts (payment_id, position, up_to, insured_up_to) DEFERRABLE INITIALLY DEFERRED;

-- Money that goes back, and what of an invoice is cancelled. One person requests it, and another one approves it.
CREATE TABLE refunds (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  refund_no text NOT NULL,
  invoice_id uuid,
  deposit_id uuid,
  patient_id uuid NOT NULL REFERENCES patients,
  currency text NOT NULL,
  amount amount NOT NULL,
  insurer_amount amount NOT NULL DEFAULT 0,
  method text NOT NULL CHECK (method IN ('CASH', 'CARD', 'TRANSFER', 'MOBILE', 'INSURANCE', 'ADVANCE')),
  credited amount NOT NULL DEFAULT 0,
  credit_lines jsonb NOT NULL DEFAULT '[]',
  reason text NOT NULL,
  requested_by_name text,
  decided_by text,
  decided_by_name text,
  decided_at timestamptz,
  reject_reason text,
  payment_id uuid UNIQUE REFERENCES payments,
  status text NOT NULL DEFAULT 'requested' CHECK (status IN ('requested', 'approved', 'rejected', 'completed')),
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(refund_no)) STORED,
  CONSTRAINT refunds_refund_no_key UNIQUE (refund_no),
  CONSTRAINT refunds_account CHECK (num_nonnulls(invoice_id, deposit_id) = 1),
  CONSTRAINT refunds_invoice FOREIGN KEY (invoice_id, currency) REFERENCES invoices (id, currency),
  CONSTRAINT refunds_deposit FOREIGN KEY (deposit_id, currency) REFERENCES deposits (id, currency),
  CONSTRAINT refunds_something CHECK (amount + credited > 0 AND insurer_amount <= amount),
  CONSTRAINT refunds_completed CHECK (status <> 'completed' OR (amount = 0) = (payment_id IS NULL)),
  CONSTRAINT refunds_decided CHECK (
    num_nonnulls(decided_by, decided_at) = CASE status WHEN 'requested' THEN 0 ELSE 2 END
    AND (status IN ('requested', 'rejected') OR decided_by <> created_by)
  )
);
CREATE INDEX refunds_created_at ON refunds (created_at, id);
CREATE INDEX refunds_updated_at ON refunds (updated_at, id);
CREATE INDEX refunds_invoice_id ON refunds (invoice_id) WHERE invoice_id IS NOT NULL;
CREATE INDEX refunds_deposit_id ON refunds (deposit_id) WHERE deposit_id IS NOT NULL;
CREATE INDEX refunds_patient ON refunds (patient_id, created_at, id);
CREATE INDEX refunds_search ON refunds USING gin (search extensions.gin_trgm_ops);
COMMENT ON COLUMN refunds.insurer_amount IS 'What of the amount goes back to the insurer';
COMMENT ON COLUMN refunds.credited IS 'What of the invoice is cancelled';

-- append-only: credit_notes
CREATE TABLE credit_notes (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  invoice_id uuid NOT NULL,
  refund_id uuid NOT NULL UNIQUE REFERENCES refunds,
  patient_id uuid NOT NULL REFERENCES patients,
  currency text NOT NULL,
  number integer NOT NULL CHECK (number > 0),
  credit_no text NOT NULL,
  number_year smallint NOT NULL GENERATED ALWAYS AS (split_part(credit_no, '-', 2)::smallint) STORED,
  credit_number integer NOT NULL GENERATED ALWAYS AS (split_part(credit_no, '-', 3)::integer) STORED,
  amount bigint NOT NULL CHECK (amount > 0),
  insured amount NOT NULL,
  credited amount NOT NULL,
  credited_insured amount NOT NULL,
  credited_before amount NOT NULL GENERATED ALWAYS AS (credited - amount) STORED,
  credited_insured_before amount NOT NULL GENERATED ALWAYS AS (credited_insured - insured) STORED,
  former integer GENERATED ALWAYS AS (CASE WHEN number > 1 THEN number - 1 END) STORED,
  line_count integer NOT NULL CHECK (line_count > 0),
  reason text NOT NULL,
  issued_at timestamptz NOT NULL,
  issued_by text NOT NULL,
  issued_by_name text,
  CONSTRAINT credit_notes_credit_no_key UNIQUE (credit_no),
  CONSTRAINT credit_notes_credit UNIQUE (number_year, credit_number),
  CONSTRAINT credit_notes_invoice FOREIGN KEY (invoice_id, currency) REFERENCES invoices (id, currency),
  CONSTRAINT credit_notes_number UNIQUE (invoice_id, number),
  CONSTRAINT credit_notes_credited UNIQUE (invoice_id, number, credited, credited_insured),
  CONSTRAINT credit_notes_chain FOREIGN KEY (invoice_id, former, credited_before, credited_insured_before)
    REFERENCES credit_notes (invoice_id, number, credited, credited_insured),
  CONSTRAINT credit_notes_first CHECK (number > 1 OR credited_before + credited_insured_before = 0)
);
CREATE INDEX credit_notes_issued_at ON credit_notes (issued_at, id);
CREATE INDEX credit_notes_patient ON credit_notes (patient_id, issued_at, id);
COMMENT ON COLUMN credit_notes.issued_by_name IS 'As the person was called then';
COMMENT ON TABLE credit_notes IS 'What of issued invoices is cancelled. Rows are only added';
ALTER TABLE invoices ADD CONSTRAINT invoices_last_credit FOREIGN KEY (id, last_credit, credited, credited_insured)
  REFERENCES credit_notes (invoice_id, number, credited, credited_insured) DEFERRABLE INITIALLY DEFERRED;

-- append-only: credit_note_lines
CREATE TABLE credit_note_lines (
  credit_note_id uuid NOT NULL REFERENCES credit_notes,
  hospital_id own_hospital_id,
  position integer NOT NULL CHECK (position > 0),
  line_id uuid NOT NULL REFERENCES invoice_lines,
  amount bigint NOT NULL CHECK (amount > 0),
  net amount NOT NULL,
  tax amount NOT NULL,
  insured amount NOT NULL,
  discount amount NOT NULL,
  up_to bigint NOT NULL,
  before bigint NOT NULL GENERATED ALWAYS AS (up_to - amount) STORED,
  insured_up_to bigint NOT NULL,
  insured_before bigint NOT NULL GENERATED ALWAYS AS (insured_up_to - insured) STORED,
  former integer GENERATED ALWAYS AS (CASE WHEN position > 1 THEN position - 1 END) STORED,
  PRIMARY KEY (credit_note_id, position),
  CONSTRAINT credit_note_lines_up_to UNIQUE (credit_note_id, position, up_to, insured_up_to),
  CONSTRAINT credit_note_lines_chain FOREIGN KEY (credit_note_id, former, before, insured_before)
    REFERENCES credit_note_lines (credit_note_id, position, up_to, insured_up_to),
  CONSTRAINT credit_note_lines_first CHECK (position > 1 OR before + insured_before = 0),
  CONSTRAINT credit_note_lines_line UNIQUE (credit_note_id, line_id),
  CONSTRAINT credit_note_lines_sums CHECK (net + tax = amount AND insured <= amount)
);
CREATE INDEX credit_note_lines_of ON credit_note_lines (line_id);
COMMENT ON COLUMN credit_note_lines.discount IS 'What of the line''s discounts is cancelled with it';
ALTER TABLE credit_notes ADD CONSTRAINT credit_notes_lines FOREIGN KEY (id, line_count, amount, insured)
  REFERENCES credit_note_lines (credit_note_id, position, up_to, insured_up_to) DEFERRABLE INITIALLY DEFERRED;

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
