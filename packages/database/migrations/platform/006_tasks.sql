-- What a hospital's transaction may ask of the platform. The functions take the hospital from the current role and from
-- nothing else. They are called by that role, and run as the owner.

-- Text instead of a parsed body: the schema of the tasks belongs to a library, which replaces its functions.
CREATE FUNCTION add_task(
  task text, id uuid, hospital uuid, input jsonb, request_id uuid, key text, run_at timestamptz, attempts smallint
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  tenant text := coalesce(nullif(current_setting('role'), 'none'), session_user::text);
  added integer := coalesce(nullif(current_setting('hms.added_tasks', true), '')::integer, 0) + 1;
BEGIN
  IF tenant NOT LIKE 'h\_%' THEN
    RAISE EXCEPTION 'role % is not the role of a hospital', tenant USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF task !~ '^[a-z0-9-]{1,60}$' THEN
    RAISE EXCEPTION 'a task has a name of letters, digits and hyphens, not %', left(task, 60) USING ERRCODE = 'invalid_parameter_value';
  END IF;
  -- One injected SELECT could otherwise fill the queue that all hospitals share.
  IF added > 1000 THEN
    RAISE EXCEPTION 'a transaction adds at most 1000 tasks' USING ERRCODE = 'program_limit_exceeded';
  END IF;
  PERFORM set_config('hms.added_tasks', added::text, true);
  -- One that has been tried may be running: it ends by itself, and would take the new one with it.
  UPDATE graphile_worker._private_jobs job SET key = NULL
  WHERE job.key = tenant || ':' || task || ':' || add_task.key AND job.attempts > 0;
  PERFORM graphile_worker.add_job(
    task,
    json_build_object(
      'task', task, 'role', tenant, 'hospital', hospital, 'id', id, 'input', input, 'requestId', request_id
    ),
    run_at => run_at, max_attempts => attempts, job_key => tenant || ':' || task || ':' || key
  );
END $$;
COMMENT ON FUNCTION add_task IS 'Adds a background task of the current hospital, which runs after the transaction commits';

CREATE FUNCTION notify_change(record text, id uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_notify('hms_changes', json_build_object(
    'role', coalesce(nullif(current_setting('role'), 'none'), session_user::text), 'record', record, 'id', id
  )::text);
END $$;
COMMENT ON FUNCTION notify_change IS 'Tells the processes that listen that a record of the current hospital has changed';

CREATE TABLE revoked_tokens (
  hospital_id uuid NOT NULL REFERENCES hospitals,
  subject text NOT NULL CHECK (length(subject) <= 64),
  issued_before timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (hospital_id, subject)
);
COMMENT ON TABLE revoked_tokens IS 'Whose access tokens the modules refuse before they expire: those issued before a moment, or all of them (infinity)';
COMMENT ON COLUMN revoked_tokens.subject IS 'Claim sub: id of the account in the realm';
COMMENT ON COLUMN revoked_tokens.expires_at IS 'From then on, no such token is valid anyway';
GRANT SELECT ON revoked_tokens TO hms_app, hms_auth, hms_console;

CREATE FUNCTION revoke_tokens(subject text, issued_before timestamptz, expires_at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, platform, pg_temp AS $$
DECLARE
  own uuid := (
    SELECT id FROM hospitals
    WHERE 'h_' || replace(prefix, '-', '_') = coalesce(nullif(current_setting('role'), 'none'), session_user::text)
  );
BEGIN
  DELETE FROM revoked_tokens old WHERE (old.hospital_id, old.subject) IN (
    SELECT r.hospital_id, r.subject FROM revoked_tokens r
    WHERE r.hospital_id = own AND r.expires_at < now() FOR UPDATE SKIP LOCKED
  );
  -- Every process of every module keeps them in memory.
  IF (SELECT count(*) FROM revoked_tokens r WHERE r.hospital_id = own) >= 10000 THEN
    RAISE EXCEPTION 'a hospital revokes the tokens of at most 10000 people at a time' USING ERRCODE = 'program_limit_exceeded';
  END IF;
  INSERT INTO revoked_tokens VALUES (own, revoke_tokens.subject, revoke_tokens.issued_before, revoke_tokens.expires_at)
  ON CONFLICT ON CONSTRAINT revoked_tokens_pkey DO UPDATE
  SET issued_before = excluded.issued_before, expires_at = excluded.expires_at;
END $$;
COMMENT ON FUNCTION revoke_tokens IS 'Revokes access tokens of a person of the current hospital';

CREATE FUNCTION accept_tokens(subject text, issued_since timestamptz, expires_at timestamptz) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  UPDATE revoked_tokens r SET issued_before = accept_tokens.issued_since, expires_at = accept_tokens.expires_at
  FROM hospitals h
  WHERE h.id = r.hospital_id AND r.subject = accept_tokens.subject AND r.issued_before = 'infinity'
    AND 'h_' || replace(h.prefix, '-', '_') = coalesce(nullif(current_setting('role'), 'none'), session_user::text);
END;
COMMENT ON FUNCTION accept_tokens IS 'Accepts tokens again of a person of the current hospital, all of whose tokens were revoked';
