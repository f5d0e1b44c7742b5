-- The console refuses the token of an impersonation like any other token of a hospital, so it must be able to read it.
GRANT SELECT (id, hospital_id, subject, actor, actor_email, mode, ends_at, ended_at) ON impersonations TO hms_console;
GRANT SELECT ON impersonation_tokens TO hms_console;
