import type { ModuleDefinition, Platform } from '@hms/service';
import type { Accounts } from './accounts.ts';
import { auditRoutes } from './audit.routes.ts';
import { challengeStore } from './challenges.ts';
import { codeService } from './codes.ts';
import { arrivals } from './employees/arrivals.ts';
import { type EmployeeTaskDependencies, employeeTasks } from './employees/tasks.ts';
import { hospitalRoute } from './hospital.ts';
import { jwksRoute } from './jwks.ts';
import type { MailQueue } from './outgoing-mail.ts';
import { passwordRoutes } from './passwords/passwords.routes.ts';
import { passwordService } from './passwords/passwords.service.ts';
import type { CodeLimits } from './sessions/login-limits.ts';
import { sessionRoutes } from './sessions/sessions.routes.ts';
import { type SessionDependencies, sessionService } from './sessions/sessions.service.ts';
import type { SigningKey } from './signing-key.ts';
import { verifyRoute } from './verify.ts';

const SWEEP_INTERVAL = 60_000;

interface AuthDependencies extends Omit<SessionDependencies, 'codes' | 'arrivals'>, EmployeeTaskDependencies {
  readonly platform: Pick<Platform, 'db' | 'registry' | 'storage' | 'tenants' | 'sealer'>;
  readonly key: SigningKey;
  readonly accounts: Accounts;
  readonly codeLimits: CodeLimits;
  readonly mails: MailQueue;
  /** How often logins whose code was never entered are ended, in milliseconds. */
  readonly sweepInterval?: number | undefined;
}

export function authModule(dependencies: AuthDependencies): ModuleDefinition {
  const { platform, key, codeLimits, log, mails } = dependencies;
  const challenges = challengeStore(platform.db, key.secrets);
  const codes = codeService({ ...dependencies, challenges, limits: codeLimits });
  const arriving = arrivals(platform, log);
  const sessions = sessionService({ ...dependencies, codes, arrivals: arriving });
  const passwords = passwordService({ ...dependencies, codes, arrivals: arriving });
  const sweep = () =>
    sessions.sweep().catch((error: unknown) => log.warn({ err: error }, 'could not end expired logins'));
  const timer = setInterval(() => void sweep(), dependencies.sweepInterval ?? SWEEP_INTERVAL).unref();
  return {
    name: 'auth',
    version: '0.1.0',
    title: 'Authentication',
    routes: [
      ...sessionRoutes(sessions, codes),
      ...passwordRoutes(passwords),
      ...auditRoutes,
      hospitalRoute(platform),
      jwksRoute(key),
      verifyRoute(platform),
    ],
    tasks: employeeTasks(dependencies),
    constraints: {},
    end: async () => {
      clearInterval(timer);
      await Promise.all([mails.end(), arriving.end()]);
    },
  };
}
