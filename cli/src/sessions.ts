/**
 * Logins that hmsctl keeps, in a file that only its owner can read. Each is a context: a name for a person of a realm at a
 * server. The first one is the current one.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Problem, withLock } from '@hms/local';
import { refresh, type Tokens } from './auth-api.ts';
import { EXIT, Exit } from './exit.ts';

export interface Session {
  /** Of the context. Without one, it has the default name. */
  readonly name?: string | undefined;
  readonly server: string;
  /** Prefix of the hospital, or console. */
  readonly hospital: string;
  readonly email: string;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly refreshExpiresAt: number;
}

/** Chooses a session. Without any of them, the current one. */
export interface Choice {
  readonly context?: string | undefined;
  readonly server?: string | undefined;
  readonly hospital?: string | undefined;
}

/** A token that is over sooner than this is renewed first. */
const MARGIN_MS = 30_000;

export function sessionsFile(env: NodeJS.ProcessEnv = process.env): string {
  return path.join(env.XDG_CONFIG_HOME || path.join(os.homedir(), '.config'), 'hmsctl', 'sessions.json');
}

export function sessionOf(
  who: Pick<Session, 'name' | 'server' | 'hospital' | 'email'>,
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

/** The name of the context, such as `st-mary@localhost:8000`. */
export function contextName({ name, hospital, server }: Pick<Session, 'name' | 'hospital' | 'server'>): string {
  return name ?? `${hospital}@${URL.parse(server)?.host ?? server}`;
}

/** All sessions, the current one first. */
export function listSessions(file = sessionsFile()): readonly Session[] {
  return read(file);
}

/** Keeps the session as the current one, instead of the one with the same name. */
export function keepSession(session: Session, file = sessionsFile()): Promise<void> {
  return change(file, (sessions) => [session, ...others(sessions, session)]);
}

/** Makes a context the current one. @throws Exit `notFound` that names the contexts. */
export function useContext(name: string, file = sessionsFile()): Promise<void> {
  return change(file, (sessions) => {
    const session = named(sessions, name);
    return [session, ...others(sessions, session)];
  });
}

/** @throws Exit if there is no such context, or another one has the new name. */
export function renameContext(name: string, newName: string, file = sessionsFile()): Promise<void> {
  return change(file, (sessions) => {
    const session = named(sessions, name);
    if (sessions.some((one) => one !== session && contextName(one) === newName))
      throw new Exit(
        EXIT.usage,
        `there is a context ${newName} already: choose another name, or delete that one first.`,
      );
    return sessions.map((one) => (one === session ? { ...one, name: newName } : one));
  });
}

/** @returns the forgotten session, whose end at the server is another matter. */
export async function forgetContext(name: string, file = sessionsFile()): Promise<Session> {
  let forgotten: Session | undefined;
  await change(file, (sessions) => {
    forgotten = named(sessions, name);
    return others(sessions, forgotten);
  });
  return forgotten as Session;
}

/**
 * Forgets sessions after `end` has ended them at their servers. No other hmsctl refreshes their tokens meanwhile.
 * @param chosen all of them if undefined.
 * @param end never throws.
 */
export function endSessions(
  chosen: Choice | undefined,
  end: (session: Session) => Promise<void>,
  file = sessionsFile(),
): Promise<void> {
  return withLock(`${file}.lock`, async () => {
    const sessions = read(file);
    const ended = chosen ? [choose(sessions, chosen)] : sessions;
    // One after the other, so that an interrupted run has forgotten only what it has ended.
    let left: readonly Session[] = sessions;
    for (const session of ended) {
      await end(session);
      left = left.filter((one) => one !== session);
      write(file, left);
    }
  });
}

/**
 * A session whose access token is good for a while. It is renewed when needed, by one hmsctl at a time, as a refresh
 * token can be used once.
 * @throws Exit `notLoggedIn` that says how to log in.
 */
export function currentSession(choice: Choice, file = sessionsFile()): Promise<Session> {
  return withLock(`${file}.lock`, async () => {
    const sessions = read(file);
    const session = choose(sessions, choice);
    if (session.expiresAt > Date.now() + MARGIN_MS) return session;
    if (session.refreshExpiresAt <= Date.now()) throw over(session);
    const tokens = await refresh(session.server, session.refreshToken).catch((error: unknown): never => {
      throw error instanceof Exit && error.code === EXIT.notLoggedIn ? over(session) : error;
    });
    const renewed = sessionOf(session, tokens);
    write(
      file,
      sessions.map((one) => (one === session ? renewed : one)),
    );
    return renewed;
  });
}

/** For a session that has ended, or that the server does not accept any more. */
export function over(session: Session): Exit {
  const { hospital, email } = session;
  const realm = hospital === 'console' ? '--console' : `--hospital ${hospital}`;
  return new Exit(EXIT.notLoggedIn, `the login is over: use hmsctl login ${realm} --email ${email}.`);
}

function choose(sessions: readonly Session[], { context, server, hospital }: Choice): Session {
  if (context !== undefined) return named(sessions, context);
  const found = sessions.find(
    (one) => (server === undefined || one.server === server) && (hospital === undefined || one.hospital === hospital),
  );
  if (found) return found;
  throw new Exit(
    EXIT.notLoggedIn,
    `not logged in${hospital ? ` to ${hospital}` : ''}: use hmsctl login with --hospital <prefix> or --console, and --email <address>.`,
  );
}

function named(sessions: readonly Session[], name: string): Session {
  const found = sessions.find((one) => contextName(one) === name);
  if (found) return found;
  const names = sessions.map(contextName).join(', ') || 'none';
  throw new Exit(EXIT.notFound, `there is no context ${name}: name one of ${names}. hmsctl login creates one.`);
}

function others(sessions: readonly Session[], session: Session): Session[] {
  return sessions.filter((one) => contextName(one) !== contextName(session));
}

function change(file: string, make: (sessions: readonly Session[]) => readonly Session[]): Promise<void> {
  return withLock(`${file}.lock`, async () => write(file, make(read(file))));
}

function read(file: string): readonly Session[] {
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
