-- append-only: issued_files
CREATE TABLE issued_files (
  record text NOT NULL CHECK (record IN ('invoices', 'lab_orders', 'prescriptions')),
  record_id uuid NOT NULL,
  hospital_id own_hospital_id,
  revision integer NOT NULL,
  sha256 text NOT NULL CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  size integer NOT NULL,
  missing_characters jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(missing_characters) = 'array'),
  issued_at timestamptz NOT NULL DEFAULT moment(),
  PRIMARY KEY (record, record_id, revision)
);
COMMENT ON TABLE issued_files IS 'PDF files that were issued, such as reports of the laboratory. Rows are only added, so a file never changes';
COMMENT ON COLUMN issued_files.missing_characters IS 'Characters that no font has, as codes such as U+1F600, which the file shows instead';
COMMENT ON COLUMN issued_files.record IS 'Table of the record that the file is about. Its rows are never deleted';

CREATE TABLE issued_file_drafts (
  record text NOT NULL,
  record_id uuid NOT NULL,
  hospital_id own_hospital_id,
  revision integer NOT NULL,
  sha256 text NOT NULL,
  key text NOT NULL,
  PRIMARY KEY (record, record_id, revision, sha256)
);
COMMENT ON TABLE issued_file_drafts IS 'Objects that attempts at a file have stored, until it is known which one is issued';
