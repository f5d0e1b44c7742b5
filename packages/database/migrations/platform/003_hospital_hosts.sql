CREATE TABLE hospital_hosts (
  host text PRIMARY KEY,
  hospital_id uuid NOT NULL REFERENCES hospitals
);
CREATE INDEX hospital_hosts_hospital ON hospital_hosts (hospital_id);
COMMENT ON TABLE hospital_hosts IS 'Which hospital each host belongs to: first come, first served; written by the operator only';

GRANT SELECT ON hospital_hosts TO hms_auth;
