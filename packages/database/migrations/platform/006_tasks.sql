-- What a hospital's transaction may ask of the platform. Both functions take the hospital from the current role and from
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
    json_build_object('role', tenant, 'hospital', hospital, 'id', id, 'input', input, 'requestId', request_id),
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
