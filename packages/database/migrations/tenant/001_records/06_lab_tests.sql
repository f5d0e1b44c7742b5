CREATE TABLE lab_tests (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  code text NOT NULL,
  name text COLLATE "und-x-icu" NOT NULL,
  department_id uuid REFERENCES departments,
  specimen_type text NOT NULL,
  value_type text NOT NULL,
  unit text,
  decimals smallint CHECK (decimals BETWEEN 0 AND 6),
  options jsonb CHECK (jsonb_typeof(options) = 'array' AND options <> '[]'),
  loinc text,
  price bigint CHECK (price >= 0),
  turnaround_minutes integer NOT NULL CHECK (turnaround_minutes > 0),
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'active', 'retired')),
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(code || ' ' || name)) STORED,
  CONSTRAINT lab_tests_value_type CHECK (
    value_type IN ('numeric', 'text', 'coded')
    AND (value_type = 'coded') = (options IS NOT NULL)
    AND (value_type = 'numeric' OR num_nonnulls(unit, decimals) = 0)
  )
);
CREATE UNIQUE INDEX lab_tests_code ON lab_tests (lower(code)) WHERE deleted_at IS NULL;
CREATE INDEX lab_tests_name ON lab_tests (name, id);
CREATE INDEX lab_tests_department ON lab_tests (department_id);
COMMENT ON COLUMN lab_tests.price IS 'In minor units of the currency of the hospital';
COMMENT ON COLUMN lab_tests.turnaround_minutes IS 'Within how many minutes after the order the verified result is expected';

CREATE TABLE lab_ranges (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  test_id uuid NOT NULL REFERENCES lab_tests,
  sex text NOT NULL CHECK (sex IN ('any', 'female', 'male')),
  age_unit text NOT NULL DEFAULT 'days' CHECK (age_unit IN ('days', 'hours')),
  from_age integer NOT NULL CHECK (from_age >= 0),
  to_age integer CHECK (to_age > from_age),
  low numeric,
  high numeric,
  critical_low numeric,
  critical_high numeric,
  -- A range for any sex is one for both, so it overlaps those for each.
  sexes int4range NOT NULL GENERATED ALWAYS AS (
    CASE sex WHEN 'female' THEN int4range(1, 2) WHEN 'male' THEN int4range(2, 3) ELSE int4range(1, 3) END
  ) STORED,
  -- In hours, so that ranges in hours overlap those in days.
  ages int4range NOT NULL GENERATED ALWAYS AS (
    CASE age_unit WHEN 'hours' THEN int4range(from_age, to_age) ELSE int4range(24 * from_age, 24 * to_age) END
  ) STORED,
  CONSTRAINT lab_ranges_hours CHECK (age_unit = 'days' OR (to_age IS NOT NULL AND to_age <= 672)),
  -- A limit that is missing is in order.
  CONSTRAINT lab_ranges_limits CHECK (
    num_nonnulls(low, high, critical_low, critical_high) > 0
    AND critical_low <= low AND low < high AND high <= critical_high
    AND critical_low < high AND low < critical_high AND critical_low < critical_high
  ),
  CONSTRAINT lab_ranges_no_overlap EXCLUDE USING gist (test_id WITH =, sexes WITH &&, ages WITH &&)
);
COMMENT ON TABLE lab_ranges IS 'Reference ranges of each test, by sex and by age in days or hours: from the first, up to and excluding the second. The limits belong to the range';

CREATE TABLE lab_panels (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  code text NOT NULL,
  name text COLLATE "und-x-icu" NOT NULL,
  test_ids jsonb NOT NULL CHECK (jsonb_typeof(test_ids) = 'array' AND test_ids <> '[]'),
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(code || ' ' || name)) STORED
);
CREATE UNIQUE INDEX lab_panels_code ON lab_panels (lower(code)) WHERE deleted_at IS NULL;
CREATE INDEX lab_panels_name ON lab_panels (name, id);
CREATE INDEX lab_panels_tests ON lab_panels USING gin (test_ids jsonb_path_ops);
COMMENT ON TABLE lab_panels IS 'Sets of tests that are ordered together';
