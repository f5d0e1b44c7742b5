-- Lists behind figures that are written into a file in the background, and their progress.
CREATE TABLE report_exports (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  report text NOT NULL,
  "from" date NOT NULL,
  "to" date NOT NULL,
  measure text,
  filters jsonb NOT NULL CHECK (jsonb_typeof(filters) = 'object'),
  filter_names jsonb NOT NULL CHECK (jsonb_typeof(filter_names) = 'object'),
  has_bom boolean NOT NULL,
  requested_by text NOT NULL,
  rows_done bigint NOT NULL DEFAULT 0,
  rows_total bigint,
  size bigint,
  fail_reason text CHECK (fail_reason IN ('too-slow', 'unexpected')),
  expires_at timestamptz,
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'running', 'done', 'failed', 'cancelled')),
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz,
  CONSTRAINT report_exports_done CHECK (num_nonnulls(size, expires_at) = CASE status WHEN 'done' THEN 2 ELSE 0 END),
  CONSTRAINT report_exports_failed CHECK ((fail_reason IS NOT NULL) = (status = 'failed'))
);
CREATE INDEX report_exports_created_at ON report_exports (created_at, id) INCLUDE (deleted_at);
CREATE INDEX report_exports_updated_at ON report_exports (updated_at, id) INCLUDE (deleted_at);
COMMENT ON COLUMN report_exports.requested_by IS 'Account of the person, who alone may have the file';

-- Reports that named employees are told of regularly, by mail with a link.
CREATE TABLE report_schedules (
  id uuid PRIMARY KEY,
  hospital_id own_hospital_id,
  title text COLLATE "und-x-icu" NOT NULL,
  report text NOT NULL,
  group_by text NOT NULL,
  period text NOT NULL CHECK (period IN ('day', 'week', 'month')),
  send_at time NOT NULL,
  recipient_ids jsonb NOT NULL CHECK (jsonb_typeof(recipient_ids) = 'array' AND recipient_ids <> '[]'),
  last_sent_on date,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'paused')),
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  created_by text NOT NULL,
  updated_by text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  deleted_at timestamptz
);
CREATE INDEX report_schedules_title ON report_schedules (title, id);
CREATE INDEX report_schedules_created_at ON report_schedules (created_at, id);
CREATE INDEX report_schedules_updated_at ON report_schedules (updated_at, id);
COMMENT ON COLUMN report_schedules.period IS 'The day, week or month before, of which the report is. It is sent on the day after its end';
COMMENT ON COLUMN report_schedules.send_at IS 'By the clock of the hospital';
