import { acl } from './acl.ts';
import { correlationId } from './correlation-id.ts';
import { cors } from './cors.ts';
import { ipRestriction } from './ip-restriction.ts';
import { jwt } from './jwt.ts';
import type { Plugin } from './plugin.ts';
import { prometheus } from './prometheus.ts';
import { rateLimiting } from './rate-limiting.ts';
import { requestSizeLimiting } from './request-size-limiting.ts';
import { requestTermination } from './request-termination.ts';

/** Every plugin, in the order in which they run. */
export const plugins: readonly Plugin[] = [
  acl,
  correlationId,
  cors,
  ipRestriction,
  jwt,
  prometheus,
  rateLimiting,
  requestSizeLimiting,
  requestTermination,
].sort((a, b) => b.priority - a.priority);

export const pluginsByName: ReadonlyMap<string, Plugin> = new Map(plugins.map((plugin) => [plugin.name, plugin]));
