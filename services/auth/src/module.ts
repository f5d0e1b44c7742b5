import type { Mailer } from '@hms/mail';
import type { ModuleDefinition, Platform } from '@hms/service';
import type { Accounts } from './accounts.ts';
import { auditRoutes } from './audit.routes.ts';
import type { AuditRetention } from './audit-retention.ts';
import { challengeStore } from './challenges.ts';
import { codeService } from './codes.ts';
import { criticalResultMails } from './critical-results/tasks.ts';
import { type DirectoryKind, directoryRoute } from './directory/directory.routes.ts';
import { displayRoutes } from './displays/displays.routes.ts';
import { displayService } from './displays/displays.service.ts';
import { displayTasks } from './displays/tasks.ts';
import { arrivals } from './employees/arrivals.ts';
import { type EmployeeTaskDependencies, employeeTasks } from './employees/tasks.ts';
import { hospitalRoute } from './hospital.ts';
import type { EventCollector } from './identity-events/collector.ts';
import { impersonationStore } from './impersonations/impersonations.repository.ts';
import { impersonationRoutes } from './impersonations/impersonations.routes.ts';
import { impersonationService, MOST_SECONDS } from './impersonations/impersonations.service.ts';
import { impersonationTasks } from './impersonations/impersonations.tasks.ts';
import { invitationRoutes } from './invitations/invitations.routes.ts';
import { invitationService } from './invitations/invitations.service.ts';
import { jwksRoute } from './jwks.ts';
import type { MailQueue } from './outgoing-mail.ts';
import { passwordRoutes } from './passwords/passwords.routes.ts';
import { passwordService } from './passwords/passwords.service.ts';
import { patientLinkRoutes } from './patient-links/patient-links.routes.ts';
import { appointmentMails } from './patient-links/tasks.ts';
import { reportMails } from './report-mails/tasks.ts';
import type { CodeLimits, DisplayLimits, SearchLimits } from './sessions/login-limits.ts';
import { sessionRoutes } from './sessions/sessions.routes.ts';
import { type SessionDependencies, sessionService } from './sessions/sessions.service.ts';
import type { SigningKey } from './signing-key.ts';
import { statusRoute } from './status.ts';
import { stockWarningMails } from './stock-warnings/tasks.ts';
import { verifyRoute } from './verify.ts';

const LAG = {
  name: 'hms_identity_events_lag_seconds',
  help: "Time since Keycloak's events of every open realm were last read to their end",
};
const SWEEP_INTERVAL = 60_000;

interface AuthDependencies
  extends Omit<SessionDependencies, 'codes' | 'arrivals' | 'impersonations'>,
    EmployeeTaskDependencies {
  readonly platform: Pick<Platform, 'db' | 'registry' | 'storage' | 'tenants' | 'sealer' | 'keycloakUrl'>;
  readonly key: SigningKey;
  readonly accounts: Accounts;
  readonly codeLimits: CodeLimits;
  readonly displayLimits: DisplayLimits;
  readonly searchLimits: SearchLimits;
  readonly mails: MailQueue;
  readonly mailer: Pick<Mailer, 'send' | 'from'>;
  /** Reads Keycloak's events, if this process does that. */
  readonly events?: EventCollector | undefined;
  /** Removes old audit events, if this process does that. */
  readonly retention?: AuditRetention | undefined;
  /** What everybody may know of the hospitals. Default: those whose name they write. */
  readonly directory?: DirectoryKind | undefined;
  /** How long an impersonation lasts, in seconds. Default: 15 minutes. */
  readonly impersonationSeconds?: number | undefined;
  /** How often logins whose code was never entered are ended, in milliseconds. */
  readonly sweepInterval?: number | undefined;
}

export function authModule(dependencies: AuthDependencies): ModuleDefinition {
  const { platform, key, accounts, codeLimits, log, mails, events, retention } = dependencies;
  const challenges = challengeStore(platform.db, key.secrets);
  const codes = codeService({ ...dependencies, challenges, limits: codeLimits });
  const arriving = arrivals(platform, log);
  const passwords = passwordService({ ...dependencies, codes, arrivals: arriving });
  const store = impersonationStore(platform.db);
  const impersonations = impersonationService({
    ...dependencies,
    store,
    seconds: dependencies.impersonationSeconds ?? MOST_SECONDS,
  });
  const sessions = sessionService({ ...dependencies, codes, arrivals: arriving, impersonations });
  const displays = displayService({ ...dependencies, secrets: key.secrets, limits: dependencies.displayLimits });
  const sweep = () =>
    sessions.sweep().catch((error: unknown) => log.warn({ err: error }, 'could not end expired logins'));
  const timer = setInterval(() => void sweep(), dependencies.sweepInterval ?? SWEEP_INTERVAL).unref();
  events?.start();
  retention?.start();
  return {
    name: 'auth',
    version: '0.1.0',
    title: 'Authentication',
    routes: [
      ...sessionRoutes(sessions, codes),
      ...passwordRoutes(passwords),
      ...invitationRoutes(invitationService(dependencies)),
      ...impersonationRoutes(impersonations),
      ...displayRoutes(displays),
      ...patientLinkRoutes(platform),
      ...auditRoutes({ ...dependencies, store }),
      directoryRoute({ platform, kind: dependencies.directory ?? 'search', limits: dependencies.searchLimits }),
      hospitalRoute(platform),
      statusRoute(platform),
      jwksRoute(key),
      verifyRoute(platform),
    ],
    tasks: [
      ...employeeTasks(dependencies),
      ...displayTasks(accounts),
      ...impersonationTasks({ ...dependencies, store }),
      ...appointmentMails(dependencies),
      criticalResultMails(dependencies),
      reportMails(dependencies),
      stockWarningMails(dependencies),
    ],
    measures: events ? [{ ...LAG, value: () => events.lag }] : [],
    end: async () => {
      clearInterval(timer);
      await Promise.all([mails.end(), arriving.end(), events?.end(), retention?.end()]);
    },
  };
}
