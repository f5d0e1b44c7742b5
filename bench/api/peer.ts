/** What the peers of the modules share: the token of a request, and a transaction of its hospital. */
import type { AddressInfo } from 'node:net';
import express, { type Express, type Request } from 'express';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import pg from 'pg';

const { DATABASE_URL, JWKS_BASE, BASE_URL } = process.env;
// A date as its text, as in the modules.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
export const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
const keys = new Map<string, ReturnType<typeof createRemoteJWKSet>>();

export interface Caller {
  readonly sub: string;
  readonly prefix: string;
}

/** Verifies the token. */
export async function callerOf(request: Request): Promise<Caller> {
  const token = request.get('Authorization')?.slice('Bearer '.length) ?? '';
  const prefix = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).hospital_prefix as string;
  const jwks =
    keys.get(prefix) ?? createRemoteJWKSet(new URL(`${JWKS_BASE}/realms/${prefix}/protocol/openid-connect/certs`));
  keys.set(prefix, jwks);
  const issuer = `${BASE_URL}/auth/realms/${prefix}`;
  const { payload } = await jwtVerify(token, jwks, { issuer, audience: 'hms-api', algorithms: ['RS256'] });
  return { sub: payload.sub ?? '', prefix };
}

/** The schema and the role of a hospital have one name. */
export function nameOf({ prefix }: Caller): string {
  return `h_${prefix.replaceAll('-', '_')}`;
}

export async function inTenant<T>(caller: Caller, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  const name = nameOf(caller);
  try {
    await client.query(`BEGIN; SET LOCAL ROLE ${name}; SET LOCAL search_path TO ${name}`);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

export function createApp(): Express {
  const app = express();
  app.disable('etag');
  app.use(express.json({ limit: '1mb' }));
  return app;
}

/** Tells the parent process the port. */
export function listen(app: Express): void {
  const server = app.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}
