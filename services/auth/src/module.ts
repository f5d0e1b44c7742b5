import type { ModuleDefinition } from '@hms/service';
import { jwksRoute } from './jwks.ts';
import { sessionRoutes } from './sessions/sessions.routes.ts';
import { type SessionDependencies, sessionService } from './sessions/sessions.service.ts';
import type { SigningKey } from './signing-key.ts';

export function authModule(dependencies: SessionDependencies & { readonly key: SigningKey }): ModuleDefinition {
  return {
    name: 'auth',
    version: '0.1.0',
    title: 'Authentication',
    routes: [...sessionRoutes(sessionService(dependencies)), jwksRoute(dependencies.key)],
    constraints: {},
  };
}
