-- Functions of PostgreSQL and a language that no hospital's role may use. Run it in database `hms` as a superuser, after
-- the roles exist; it may be repeated.
--
-- The modules log in as hms_app or hms_auth and become the role of one hospital for each request. By default everybody
-- may call set_config, which changes the role, and functions that run text as SQL. Together they let one injected SELECT read
-- another hospital. The roles that need some of these functions get them by name.
DO $$
DECLARE
  one regprocedure;
BEGIN
  FOR one IN
    SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND (
      -- change the role, or run text as SQL
      proname IN ('set_config', 'ts_stat') OR proname ~ '^(query|cursor|table|schema|database)_to_xml'
      OR (proname = 'ts_rewrite' AND pronargs = 2)
      -- large objects, which all hospitals would share
      OR proname ~ '^(lo_|loread$|lowrite$)'
      -- reach other sessions
      OR proname ~ '^pg_(notify|sleep|cancel_backend|terminate_backend|export_snapshot|logical_emit_message)'
      OR proname ~ '^pg_(try_)?advisory_'
    )
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', one);
    -- Functions that only superusers may call have no such right to give.
    IF one::text !~ '^lo_(import|export)' THEN
      EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO hms_operator', one);
    END IF;
  END LOOP;
END $$;

-- A DO block is one statement that can run any number of them, SET ROLE among them.
REVOKE USAGE ON LANGUAGE plpgsql FROM PUBLIC;
GRANT USAGE ON LANGUAGE plpgsql TO hms_operator;

-- An UPDATE of this view is set_config in another form.
REVOKE UPDATE ON pg_catalog.pg_settings FROM PUBLIC;

-- The modules request reconciles of a hospital from the operator, as themselves and not as a hospital.
GRANT EXECUTE ON FUNCTION pg_catalog.pg_notify(text, text) TO hms_app, hms_auth;

-- The extensions, in a schema that everybody may use and in which only the operator may create. The operator creates
-- them too, but only a superuser can revoke one of their functions: set_limit changes a setting of the session, which
-- the transactions of other hospitals would find on the same connection.
SET ROLE hms_operator;
CREATE SCHEMA IF NOT EXISTS extensions;
GRANT USAGE ON SCHEMA extensions TO PUBLIC;
CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA extensions;
CREATE EXTENSION IF NOT EXISTS btree_gist SCHEMA extensions;
RESET ROLE;
REVOKE EXECUTE ON FUNCTION extensions.set_limit(real) FROM PUBLIC;
