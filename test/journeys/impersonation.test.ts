/** Impersonation by the platform, with a real Keycloak, PostgreSQL, mail server and all modules: what works, and each attack. */
import './impersonation/limits.ts';
import './impersonation/people.ts';
import './impersonation/attacks.ts';
import './impersonation/hospital.ts';
