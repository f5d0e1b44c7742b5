CREATE TABLE issued_documents (
  sha256 text PRIMARY KEY CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  hospital_id uuid NOT NULL REFERENCES hospitals,
  issued_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX issued_documents_hospital ON issued_documents (hospital_id);
COMMENT ON TABLE issued_documents IS 'Hash of each document that a hospital issued, so that anybody can check whether a document is genuine. Nothing in it is about a person';

GRANT SELECT ON issued_documents TO hms_auth;

CREATE FUNCTION issue_document(sha256 text) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  INSERT INTO issued_documents (sha256, hospital_id)
  SELECT issue_document.sha256, id FROM hospitals
  WHERE 'h_' || replace(prefix, '-', '_') = coalesce(nullif(current_setting('role'), 'none'), session_user::text)
  ON CONFLICT DO NOTHING;
END;
COMMENT ON FUNCTION issue_document IS 'Notes that the current hospital issued a document with this content';
