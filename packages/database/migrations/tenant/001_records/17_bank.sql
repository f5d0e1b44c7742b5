-- Accounts of the hospital at banks and card acquirers, and how each writes its statements.
CREATE TABLE bank_accounts (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  name text COLLATE "und-x-icu" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('bank', 'card')),
  account_no text,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  format text NOT NULL CHECK (format IN ('camt053', 'csv')),
  mapping jsonb,
  flips_reversals boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  CONSTRAINT bank_accounts_mapping CHECK ((format = 'csv') = (mapping IS NOT NULL))
);
CREATE UNIQUE INDEX bank_accounts_name ON bank_accounts (lower(name)) WHERE deleted_at IS NULL;
-- Whatever spaces it is written with: its money must not arrive twice.
CREATE UNIQUE INDEX bank_accounts_account_no ON bank_accounts (
  regexp_replace(upper(account_no), '[^0-9A-Z]', '', 'g'), currency
) WHERE deleted_at IS NULL;
CREATE INDEX bank_accounts_created_at ON bank_accounts (created_at, id);
CREATE INDEX bank_accounts_updated_at ON bank_accounts (updated_at, id);
COMMENT ON COLUMN bank_accounts.account_no IS 'As the bank writes it in statements, such as the IBAN. Empty: any';
COMMENT ON COLUMN bank_accounts.mapping IS 'How the bank writes CSV';
COMMENT ON COLUMN bank_accounts.flips_reversals IS 'Whether the bank gives a reversal the direction of what it reverses';

CREATE TABLE bank_statements (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  bank_account_id uuid NOT NULL REFERENCES bank_accounts,
  file_name text NOT NULL,
  sha256 text NOT NULL,
  position integer NOT NULL CHECK (position > 0),
  external_id text,
  currency text NOT NULL,
  from_day date,
  to_day date,
  opening bigint,
  closing bigint,
  entry_count integer NOT NULL,
  new_entries integer NOT NULL,
  has_gap boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  CONSTRAINT bank_statements_file UNIQUE (bank_account_id, sha256, position)
);
CREATE INDEX bank_statements_created_at ON bank_statements (created_at, id);
CREATE INDEX bank_statements_updated_at ON bank_statements (updated_at, id);
COMMENT ON COLUMN bank_statements.sha256 IS 'Of the file';
COMMENT ON COLUMN bank_statements.position IS 'In the file, which may have several statements';
COMMENT ON COLUMN bank_statements.new_entries IS 'Entries that no earlier file had';
COMMENT ON COLUMN bank_statements.has_gap IS 'Whether it begins with another balance than the one before ends with';

-- append-only: bank_entries
CREATE TABLE bank_entries (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  bank_account_id uuid NOT NULL REFERENCES bank_accounts,
  statement_id uuid NOT NULL REFERENCES bank_statements,
  identity text NOT NULL,
  position integer NOT NULL,
  booked_on date NOT NULL,
  value_on date,
  amount bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('booked', 'pending', 'info')),
  is_reversal boolean NOT NULL,
  is_batch boolean NOT NULL,
  bank_reference text,
  CONSTRAINT bank_entries_identity UNIQUE (bank_account_id, identity)
);
CREATE INDEX bank_entries_statement ON bank_entries (statement_id);
COMMENT ON COLUMN bank_entries.identity IS 'The same in each file that has the entry, so that it is there once';
COMMENT ON TABLE bank_entries IS 'What moved the balance, as the bank says. Rows are only added';

CREATE TABLE bank_parts (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  entry_id uuid NOT NULL REFERENCES bank_entries,
  statement_id uuid NOT NULL REFERENCES bank_statements,
  bank_account_id uuid NOT NULL REFERENCES bank_accounts,
  currency text NOT NULL,
  booked_on date NOT NULL,
  amount bigint NOT NULL,
  reference text,
  end_to_end_id text,
  text text NOT NULL,
  party_name text,
  party_account text,
  matched amount NOT NULL DEFAULT 0,
  ignore_reason text,
  status text NOT NULL CHECK (status IN ('open', 'matched', 'ignored', 'pending')),
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (
    search_text(text || ' ' || coalesce(party_name, '') || ' ' || coalesce(reference, ''))
  ) STORED,
  CONSTRAINT bank_parts_matched CHECK (
    CASE status WHEN 'matched' THEN matched = abs(amount) WHEN 'open' THEN matched < abs(amount) ELSE matched = 0 END
  ),
  CONSTRAINT bank_parts_ignored CHECK ((status = 'ignored') = (ignore_reason IS NOT NULL))
);
CREATE INDEX bank_parts_created_at ON bank_parts (created_at, id);
CREATE INDEX bank_parts_updated_at ON bank_parts (updated_at, id);
CREATE INDEX bank_parts_booked_on ON bank_parts (booked_on, id);
CREATE INDEX bank_parts_statement ON bank_parts (statement_id);
CREATE INDEX bank_parts_entry ON bank_parts (entry_id);
CREATE INDEX bank_parts_search ON bank_parts USING gin (search extensions.gin_trgm_ops);
COMMENT ON TABLE bank_parts IS 'What a person or a company paid: a part of an entry, or the whole of it';
COMMENT ON COLUMN bank_parts.matched IS 'What of it belongs to payments';

-- append-only: bank_matches
CREATE TABLE bank_matches (
  part_id uuid NOT NULL REFERENCES bank_parts,
  hospital_id own_hospital_id,
  payment_id uuid NOT NULL,
  position integer NOT NULL,
  amount bigint NOT NULL CHECK (amount > 0),
  reason text NOT NULL CHECK (reason IN ('reference', 'number', 'amount_and_name', 'payment', 'chosen')),
  matched_by text NOT NULL,
  matched_by_name text,
  matched_at timestamptz NOT NULL DEFAULT moment(),
  PRIMARY KEY (part_id, payment_id, position),
  -- Money that has arrived once belongs to one payment.
  CONSTRAINT bank_matches_payment UNIQUE (payment_id, position),
  CONSTRAINT bank_matches_of FOREIGN KEY (payment_id, position) REFERENCES payment_parts (payment_id, position)
);
COMMENT ON TABLE bank_matches IS 'Which payments a statement confirms. Rows are only added';
