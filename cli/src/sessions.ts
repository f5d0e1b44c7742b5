/** Logins that hmsctl keeps, in a file that only its owner can read. */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Problem, withLock } from '@hms/local';
import { refresh, type Tokens } from './auth-api.ts';
import { EXIT, Exit } from './exit.ts';

export interface Session {
  readonly server: string;
  readonly hospital: string;
  readonly email: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly refreshExpiresAt: number;
}

/** A token that is over sooner than this is renewed first. */
const MARGIN_MS = 30_000;

export function sessionsFile(env: NodeJS.ProcessEnv = process.env): string {
  return path.join(env.XDG_CONFIG_HOME || path.join(os.homedir(), '.config'), 'hmsctl', 'sessions.json');
}

export function sessionOf(
  who: Pick<Session, 'server' | 'hospital' | 'email'>,
  tokens: Tokens,
  now = Date.now(),
): Session {
  return {
    ...who,
    accessToken: tokens.accessToken,
    refreshToken: tokens.refreshToken,
    expiresAt: now + tokens.expiresIn * 1000,
    refreshExpiresAt: now + tokens.refreshExpiresIn * 1000,
  };
}

/** Keeps the session as the latest; one for each server and hospital. */
export function keepSession(session: Session, file = sessionsFile()): Promise<void> {
  return withLock(`${file}.lock`, async () => write(file, [session, ...others(read(file), session)]));
}

/**
 * A token that is good for a while: of the latest login, or of the latest one to `hospital`. Renewed when needed,
 * by one hmsctl at a time, as a refresh token can be used once.
 */
export function currentToken(
  server: string | undefined,
  hospital: string | undefined,
  file = sessionsFile(),
): Promise<string> {
  return withLock(`${file}.lock`, async () => {
    const sessions = read(file);
    const session = sessions.find(
      (one) => (server === undefined || one.server === server) && (hospital === undefined || one.hospital === hospital),
    );
    if (!session)
      throw new Exit(
        EXIT.notLoggedIn,
        `not logged in${hospital ? ` to ${hospital}` : ''}: use hmsctl login --hospital <prefix> --email <address>.`,
      );
    if (session.expiresAt > Date.now() + MARGIN_MS) return session.accessToken;
    if (session.refreshExpiresAt <= Date.now()) throw over(session);
    const tokens = await refresh(session.server, session.refreshToken).catch((error: unknown): never => {
      throw error instanceof Exit && error.code === EXIT.notLoggedIn ? over(session) : error;
    });
    const renewed = sessionOf(session, tokens);
    write(file, [renewed, ...others(sessions, renewed)]);
    return renewed.accessToken;
  });
}

function over({ hospital, email }: Session): Exit {
  return new Exit(EXIT.notLoggedIn, `the login is over: use hmsctl login --hospital ${hospital} --email ${email}.`);
}

function others(sessions: readonly Session[], session: Session): Session[] {
  return sessions.filter((one) => one.server !== session.server || one.hospital !== session.hospital);
}

function read(file: string): Session[] {
  if (!fs.existsSync(file)) return [];
  try {
    const sessions: unknown = JSON.parse(fs.readFileSync(file, 'utf8'));
    if (Array.isArray(sessions)) return sessions as Session[];
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Problem(`${file} does not hold logins: delete it and log in again.`);
}

function write(file: string, sessions: readonly Session[]): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  fs.writeFileSync(temporary, `${JSON.stringify(sessions, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  fs.renameSync(temporary, file);
}
