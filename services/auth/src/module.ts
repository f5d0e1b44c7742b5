import type { ModuleDefinition, Platform } from '@hms/service';
import { jwksRoute } from './jwks.ts';
import type { CodeMailer } from './sessions/code-mail.ts';
import { sessionRoutes } from './sessions/sessions.routes.ts';
import { type SessionDependencies, sessionService } from './sessions/sessions.service.ts';
import type { SigningKey } from './signing-key.ts';
import { verifyRoute } from './verify.ts';

const SWEEP_INTERVAL = 60_000;

export function authModule(
  dependencies: SessionDependencies & {
    readonly key: SigningKey;
    readonly db: Platform['db'];
    readonly mailer: CodeMailer;
    /** How often logins whose code was never entered are ended, in milliseconds. */
    readonly sweepInterval?: number | undefined;
  },
): ModuleDefinition {
  const sessions = sessionService(dependencies);
  const sweep = () =>
    sessions.sweep().catch((error: unknown) => dependencies.log.warn({ err: error }, 'could not end expired logins'));
  const timer = setInterval(() => void sweep(), dependencies.sweepInterval ?? SWEEP_INTERVAL).unref();
  return {
    name: 'auth',
    version: '0.1.0',
    title: 'Authentication',
    routes: [...sessionRoutes(sessions), jwksRoute(dependencies.key), verifyRoute(dependencies)],
    constraints: {},
    end: async () => {
      clearInterval(timer);
      await dependencies.mailer.end();
    },
  };
}
