CREATE TABLE vip_tiers (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  name text COLLATE "und-x-icu" NOT NULL,
  priority_weight integer NOT NULL CHECK (priority_weight BETWEEN 0 AND 100),
  consultation_bps integer NOT NULL CHECK (consultation_bps BETWEEN 0 AND 10000),
  laboratory_bps integer NOT NULL CHECK (laboratory_bps BETWEEN 0 AND 10000),
  pharmacy_bps integer NOT NULL CHECK (pharmacy_bps BETWEEN 0 AND 10000),
  other_bps integer NOT NULL CHECK (other_bps BETWEEN 0 AND 10000),
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'inactive')),
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(name)) STORED
);
CREATE UNIQUE INDEX vip_tiers_name ON vip_tiers (lower(name)) WHERE deleted_at IS NULL;
CREATE INDEX vip_tiers_priority_weight ON vip_tiers (priority_weight, id);
COMMENT ON COLUMN vip_tiers.consultation_bps IS 'Discount on consultations in basis points: 1250 is 12.5 %';

CREATE TABLE vip_memberships (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  membership_no text NOT NULL,
  patient_id uuid REFERENCES patients,
  family_id uuid REFERENCES families,
  tier_id uuid NOT NULL REFERENCES vip_tiers,
  valid_from date NOT NULL,
  valid_to date,
  notes text,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'cancelled')),
  reason text,
  cancelled_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  search text NOT NULL GENERATED ALWAYS AS (search_text(membership_no)) STORED,
  CONSTRAINT vip_memberships_membership_no_key UNIQUE (membership_no),
  CONSTRAINT vip_memberships_holder CHECK (num_nonnulls(patient_id, family_id) = 1),
  CONSTRAINT vip_memberships_period CHECK (valid_to >= valid_from),
  CONSTRAINT vip_memberships_reason CHECK ((reason IS NULL) = (status = 'active')),
  CONSTRAINT vip_memberships_cancelled CHECK ((cancelled_at IS NULL) = (status <> 'cancelled')),
  CONSTRAINT vip_memberships_one EXCLUDE USING gist (
    patient_id WITH =, daterange(valid_from, valid_to, '[]') WITH &&
  ) WHERE (deleted_at IS NULL AND status <> 'cancelled'),
  CONSTRAINT vip_memberships_one_of_family EXCLUDE USING gist (
    family_id WITH =, daterange(valid_from, valid_to, '[]') WITH &&
  ) WHERE (deleted_at IS NULL AND status <> 'cancelled')
);
CREATE INDEX vip_memberships_created_at ON vip_memberships (created_at, id);
CREATE INDEX vip_memberships_updated_at ON vip_memberships (updated_at, id);
CREATE INDEX vip_memberships_valid_to ON vip_memberships (valid_to, id);
CREATE INDEX vip_memberships_patient ON vip_memberships (patient_id, created_at, id);
CREATE INDEX vip_memberships_family ON vip_memberships (family_id, created_at, id) WHERE family_id IS NOT NULL;
CREATE INDEX vip_memberships_tier ON vip_memberships (tier_id);
COMMENT ON COLUMN vip_memberships.family_id IS 'In place of a patient: it counts for everybody who is in the family';
COMMENT ON COLUMN vip_memberships.valid_to IS 'The last day; empty: until somebody ends it';
COMMENT ON COLUMN vip_memberships.reason IS 'Why it is suspended or cancelled';
