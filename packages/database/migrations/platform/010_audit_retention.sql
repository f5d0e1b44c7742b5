CREATE TABLE audit_keys (
  kid text PRIMARY KEY,
  jwk jsonb NOT NULL,
  added_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE audit_keys IS 'Public keys of the auth module, which signs what it writes about the removed part of an audit chain. Rows are only added';

GRANT SELECT, INSERT ON audit_keys TO hms_auth;

-- A hospital's role can't delete audit events. This deletes only those that are older than the hospital's retention.
CREATE FUNCTION remove_audit(
  first_position bigint, last_position bigint, before timestamptz, summary text, kid text, signature text
) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  tenant text := coalesce(nullif(current_setting('role'), 'none'), session_user::text);
  years integer;
  is_removable boolean;
BEGIN
  SELECT greatest(coalesce((settings ->> 'auditRetentionYears')::integer, 10), 1) INTO years
  FROM platform.hospitals WHERE 'h_' || replace(prefix, '-', '_') = tenant;
  IF years IS NULL THEN
    RAISE EXCEPTION 'role % is not the role of a hospital', tenant USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF before > now() - make_interval(years => years) THEN
    RAISE EXCEPTION 'audit events are kept for % years', years USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- Another process waits here, and then finds another start of the chain.
  EXECUTE format('LOCK TABLE %I.audit_summaries IN SHARE ROW EXCLUSIVE MODE', tenant);
  -- The end of the chain stays, because the next link needs it.
  EXECUTE format(
    'SELECT min(c.position) = $1 AND max(c.position) > $2
       AND NOT bool_or(c.position <= $2 AND (e.at IS NULL OR e.at >= $3))
     FROM %1$I.audit_chain c LEFT JOIN %1$I.audit_events e ON e.seq = c.event_seq
     WHERE c.position <= $2 OR c.position = (SELECT max(position) FROM %1$I.audit_chain)', tenant)
  INTO is_removable USING first_position, last_position, before;
  IF is_removable IS NOT TRUE THEN
    RAISE EXCEPTION 'the links % to % are not the old start of the chain', first_position, last_position
      USING ERRCODE = 'serialization_failure';
  END IF;
  EXECUTE format(
    'INSERT INTO %I.audit_summaries (first_position, last_position, before, summary, kid, signature)
     VALUES ($1, $2, $3, $4, $5, $6)', tenant)
  USING first_position, last_position, before, summary, kid, signature;
  EXECUTE format(
    'DELETE FROM %1$I.audit_events e USING %1$I.audit_chain c WHERE e.seq = c.event_seq AND c.position <= $1', tenant)
  USING last_position;
  EXECUTE format('DELETE FROM %I.audit_chain WHERE position <= $1', tenant) USING last_position;
END $$;
COMMENT ON FUNCTION remove_audit IS 'Removes the old start of the current hospital''s audit log, and keeps a signed summary of it';
