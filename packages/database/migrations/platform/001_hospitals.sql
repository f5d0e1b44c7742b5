CREATE TABLE hospitals (
  id uuid PRIMARY KEY,
  prefix text NOT NULL UNIQUE,
  owner_uid text NOT NULL,
  display_name text NOT NULL,
  issuer text NOT NULL UNIQUE,
  state text NOT NULL DEFAULT 'Provisioning' CHECK (state IN ('Provisioning', 'Active', 'Suspended', 'Deleting', 'Retained')),
  timezone text NOT NULL,
  currency char(3) NOT NULL,
  portal text NOT NULL DEFAULT '',
  theme jsonb NOT NULL DEFAULT '{}',
  schema_version integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

COMMENT ON TABLE hospitals IS 'Registry: one row for each hospital, written by the operator, read by every module';
COMMENT ON COLUMN hospitals.portal IS 'Address of its pages, without a trailing slash';
COMMENT ON COLUMN hospitals.owner_uid IS 'uid of the Hospital object that the row belongs to';

GRANT SELECT ON hospitals TO hms_app, hms_auth, hms_console;
