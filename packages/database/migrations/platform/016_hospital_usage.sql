CREATE TABLE hospital_usage (
  hospital_id uuid NOT NULL REFERENCES hospitals,
  day date NOT NULL,
  counted_at timestamptz NOT NULL DEFAULT now(),
  people bigint NOT NULL,
  patients bigint NOT NULL,
  record_rows bigint NOT NULL,
  record_bytes bigint NOT NULL,
  files bigint NOT NULL,
  file_bytes bigint NOT NULL,
  PRIMARY KEY (hospital_id, day)
);
COMMENT ON TABLE hospital_usage IS 'How large each hospital is, counted once a day by a task of the module hms. Numbers only, nothing about a person';
COMMENT ON COLUMN hospital_usage.day IS 'In UTC, as in hospital_requests';
COMMENT ON COLUMN hospital_usage.people IS 'Active employees';
COMMENT ON COLUMN hospital_usage.patients IS 'Without those who are deleted or merged into another one';
COMMENT ON COLUMN hospital_usage.record_rows IS 'Of all tables of its schema. Those of large tables are estimated';
COMMENT ON COLUMN hospital_usage.record_bytes IS 'Of all tables and indexes of its schema';
COMMENT ON COLUMN hospital_usage.file_bytes IS 'Without former versions';

CREATE TABLE hospital_requests (
  hospital_id uuid NOT NULL REFERENCES hospitals,
  day date NOT NULL,
  requests bigint NOT NULL,
  failed bigint NOT NULL,
  PRIMARY KEY (hospital_id, day)
);
COMMENT ON TABLE hospital_requests IS 'Requests with a token of each hospital, which every process of a module adds up about once a minute';
COMMENT ON COLUMN hospital_requests.failed IS 'Those of them that were answered with a status of 500 or more';

-- Which hospitals were counted today.
GRANT SELECT (hospital_id, day) ON hospital_usage TO hms_app;
GRANT SELECT, INSERT, UPDATE (requests, failed) ON hospital_requests TO hms_app, hms_auth;
GRANT SELECT ON hospital_usage, hospital_requests TO hms_console;

CREATE FUNCTION record_usage(
  people bigint, patients bigint, record_rows bigint, record_bytes bigint, files bigint, file_bytes bigint
) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  DELETE FROM hospital_usage u USING hospitals h
  WHERE h.id = u.hospital_id AND u.day < (now() AT TIME ZONE 'UTC')::date - 731
    AND 'h_' || replace(h.prefix, '-', '_') = coalesce(nullif(current_setting('role'), 'none'), session_user::text);
  DELETE FROM hospital_requests r USING hospitals h
  WHERE h.id = r.hospital_id AND r.day < (now() AT TIME ZONE 'UTC')::date - 731
    AND 'h_' || replace(h.prefix, '-', '_') = coalesce(nullif(current_setting('role'), 'none'), session_user::text);
  INSERT INTO hospital_usage (hospital_id, day, people, patients, record_rows, record_bytes, files, file_bytes)
  SELECT h.id, (now() AT TIME ZONE 'UTC')::date, record_usage.people, record_usage.patients, record_usage.record_rows,
    record_usage.record_bytes, record_usage.files, record_usage.file_bytes
  FROM hospitals h
  WHERE 'h_' || replace(h.prefix, '-', '_') = coalesce(nullif(current_setting('role'), 'none'), session_user::text)
  ON CONFLICT (hospital_id, day) DO NOTHING;
END;
COMMENT ON FUNCTION record_usage IS 'Keeps how large the current hospital is today, unless that is known, and forgets what is older than two years';
