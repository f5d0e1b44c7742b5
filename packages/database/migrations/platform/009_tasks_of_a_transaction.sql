-- One injected SELECT could call add_task as often as its time allows, and fill the queue that all hospitals share.
CREATE OR REPLACE FUNCTION add_task(
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
