/** The modules of the platform, as the interface names them, with their default limits. */

/** Requests that one access token may make, or one address if the module issues the tokens. */
export interface RateLimit {
  readonly minute: number;
  readonly hour: number;
}

export interface Module {
  readonly name: ModuleName;
  /** Path prefix behind the gateway, which is kept when forwarding. */
  readonly path: string;
  readonly rateLimit: RateLimit;
  /** Whether the gateway requires a token. The auth module issues tokens, so it does its own checks. */
  readonly tokenRequired: boolean;
  /** Largest request body in kilobytes. The gateway reads bodies up to this size before it forwards them. */
  readonly maxBodyKilobytes: number;
  /** Whether the gateway may buffer responses. False for event streams. */
  readonly responseBuffering: boolean;
}

export const MODULE_NAMES = ['auth', 'hms', 'crm', 'payment', 'queue', 'report', 'console'] as const;
export type ModuleName = (typeof MODULE_NAMES)[number];

function module(name: ModuleName, minute: number, hour: number, options: Partial<Module> = {}): Module {
  return {
    name,
    path: `/api/${name}`,
    rateLimit: { minute, hour },
    tokenRequired: true,
    maxBodyKilobytes: 10 * 1024,
    responseBuffering: true,
    ...options,
  };
}

export const MODULES: readonly Module[] = [
  // Anyone may send it bodies, and its largest one is a refresh token.
  module('auth', 600, 6000, { tokenRequired: false, maxBodyKilobytes: 64 }),
  module('hms', 100, 1000),
  module('crm', 100, 1000),
  module('payment', 50, 500),
  module('queue', 200, 2000, { responseBuffering: false }),
  module('report', 30, 300),
  module('console', 100, 1000),
];
