CREATE TABLE role_templates (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  name text NOT NULL UNIQUE CHECK (name ~ '^[A-Z][A-Z0-9_]{1,62}$'),
  applies_to text NOT NULL CHECK (applies_to IN ('hospital', 'platform')),
  description text NOT NULL,
  permissions text[] NOT NULL,
  is_system boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'retired')),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE role_templates IS 'What each role may do. The operator writes the system ones and creates the roles in the realms; people edit the others in the console';
COMMENT ON COLUMN role_templates.name IS 'Name of the role in Keycloak';
COMMENT ON COLUMN role_templates.status IS 'A retired template gives no permissions';

GRANT SELECT ON role_templates TO hms_app, hms_auth, hms_console;
GRANT INSERT (name, applies_to, description, permissions), UPDATE (description, permissions, status, version, updated_at)
  ON role_templates TO hms_console;

-- What users of the platform do is beside their logins.
GRANT SELECT, INSERT ON console_events TO hms_console;

-- A new role is missing in the realms until the operator has looked at them.
CREATE FUNCTION request_all_reconciles() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM pg_notify('hms_reconcile', '*');
  RETURN NULL;
END $$;
CREATE TRIGGER new_role AFTER INSERT ON role_templates FOR EACH STATEMENT EXECUTE FUNCTION request_all_reconciles();

CREATE TABLE withheld_permissions (
  hospital_id uuid NOT NULL REFERENCES hospitals,
  role text NOT NULL,
  permission text NOT NULL CHECK (length(permission) <= 63),
  PRIMARY KEY (hospital_id, role, permission)
);
COMMENT ON TABLE withheld_permissions IS 'Permissions of a template that a hospital does not give to its own people with that role. A hospital can only take away';

GRANT SELECT ON withheld_permissions TO hms_app, hms_auth, hms_console;

CREATE FUNCTION hospital_roles() RETURNS TABLE (
  name text, description text, permissions text[], withheld text[], is_system boolean
) LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
  SELECT t.name, t.description, t.permissions, array_remove(array_agg(w.permission ORDER BY w.permission), NULL), t.is_system
  FROM role_templates t
  JOIN hospitals h ON 'h_' || replace(h.prefix, '-', '_') = coalesce(nullif(current_setting('role'), 'none'), session_user::text)
  LEFT JOIN withheld_permissions w ON w.hospital_id = h.id AND w.role = t.name AND w.permission = ANY (t.permissions)
  WHERE t.applies_to = 'hospital' AND t.status = 'active'
  GROUP BY t.id;
END;
COMMENT ON FUNCTION hospital_roles IS 'The roles of the current hospital';

CREATE FUNCTION withhold_permissions(role text, permissions text[]) RETURNS text[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, platform, pg_temp AS $$
DECLARE
  own uuid := (
    SELECT id FROM hospitals
    WHERE 'h_' || replace(prefix, '-', '_') = coalesce(nullif(current_setting('role'), 'none'), session_user::text)
  );
  previous text[];
BEGIN
  -- Somebody must be able to take it back.
  IF withhold_permissions.role = 'OWNER' THEN
    RAISE EXCEPTION 'nothing can be withheld from the role OWNER' USING ERRCODE = 'insufficient_privilege';
  END IF;
  -- One after the other, so that each sees what the one before it has set.
  PERFORM pg_advisory_xact_lock(hashtextextended('hms/withhold/' || own, 0));
  SELECT coalesce(array_agg(w.permission ORDER BY w.permission), '{}') INTO previous
  FROM withheld_permissions w WHERE w.hospital_id = own AND w.role = withhold_permissions.role;
  DELETE FROM withheld_permissions w WHERE w.hospital_id = own AND w.role = withhold_permissions.role;
  INSERT INTO withheld_permissions
  SELECT DISTINCT own, t.name, p FROM role_templates t, unnest(t.permissions) p
  WHERE t.name = withhold_permissions.role AND t.applies_to = 'hospital' AND p = ANY (withhold_permissions.permissions);
  RETURN previous;
END $$;
COMMENT ON FUNCTION withhold_permissions IS 'Sets which permissions of a role the current hospital withholds, and returns those that it has withheld until now';
