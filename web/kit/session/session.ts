/**
 * The session of this browser. The access token is in memory only, and shared with the other tabs. The refresh token is
 * in a cookie of the server. Nothing of it is ever in a storage that scripts can read later.
 */
import { ApiError, apiClient, dataOf, type Schemas } from '@hms/api-client';
import { setCountry } from '../i18n/i18n.ts';
import { isActing, isOver, stopActing } from './acting.ts';

export type Person = Schemas['Me'];
export type Challenge = Schemas['Challenge'];
type Impersonation = Schemas['Impersonation'];

export type SessionState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'out'; readonly problem?: unknown }
  | { readonly kind: 'in'; readonly person: Person; readonly acting?: Acting | undefined }
  /** The page stays as it is below the login. */
  | { readonly kind: 'ended'; readonly person: Person; readonly reason: 'expired' | 'idle' };

/** Who really works here, if it is somebody of the platform. */
export interface Acting {
  readonly impersonation: Impersonation;
  /** By the clock of this browser, in ms since 1970. */
  readonly endsAt: number;
}

interface Access {
  readonly token: string;
  readonly expiresAt: number;
  readonly life: number;
}

type News =
  | { readonly kind: 'access'; readonly access: Access; readonly person: Person; readonly acting?: Acting | undefined }
  | { readonly kind: 'ended'; readonly reason: 'expired' | 'idle' }
  | { readonly kind: 'left' }
  | { readonly kind: 'active'; readonly at: number };

/** Without a key or a click for so long, the session ends. In ms, like all of these. */
const IDLE = 15 * 60_000;
const ACTIVE_NEWS = 10_000;
/** A token that ends sooner is not sent any more. */
const MARGIN = 5_000;
const RETRY = 5_000;
const PATIENCE = 20_000;
const LOCK = isActing ? 'hms-acting' : 'hms-session';

let state: SessionState = { kind: 'starting' };
let access: Access | undefined;
let lastActive = Date.now();
let timer: ReturnType<typeof setTimeout> | undefined;
let refreshing: Promise<void> | undefined;
const listeners = new Set<() => void>();
const waiting = new Set<() => void>();
const channel = new BroadcastChannel(LOCK);

export function sessionState(): SessionState {
  return state;
}

export function onSession(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(next: SessionState): void {
  if ('person' in next) setCountry(next.person.hospital?.country);
  state = next;
  for (const listener of [...listeners]) listener();
  if (next.kind === 'ended') return;
  for (const resume of waiting) resume();
  waiting.clear();
}

/** Continues the session of the cookie, if there is one. */
export async function begin(): Promise<void> {
  if (isOver) return change({ kind: 'out' });
  watchActivity();
  await tryToBegin();
}

async function tryToBegin(): Promise<void> {
  try {
    if (hasLeft()) await endAtServer();
    await refresh();
  } catch (problem) {
    change({ kind: 'out', problem });
    if (isUnanswered(problem)) whenReachable(() => state.kind === 'out' && void tryToBegin());
  }
}

/** Whether the server, or what it needs, can't be reached at the moment. */
export function isUnanswered(problem: unknown): boolean {
  return !(problem instanceof ApiError) || problem.status >= 502;
}

/** Does something when the network is back, or after a while. */
function whenReachable(go: () => void): void {
  const once = () => {
    clearTimeout(again);
    removeEventListener('online', once);
    go();
  };
  const again = setTimeout(once, RETRY);
  addEventListener('online', once);
}

/** In the storage of the browser: somebody has logged out, and the server does not know it yet. */
const LEFT = 'hms-left';

/** Whether the session of the cookie must not go on. */
export function hasLeft(): boolean {
  try {
    return localStorage.getItem(LEFT) !== null;
  } catch {
    return false;
  }
}

/** Ends the session of the cookie. Until this has succeeded, no page goes on with it. */
async function endAtServer(): Promise<void> {
  try {
    localStorage.setItem(LEFT, '1');
  } catch {
    // A browser may forbid it. The page that is open tries on.
  }
  await inLock(() => post('logout'));
  forgetLeft();
}

function forgetLeft(): void {
  try {
    localStorage.removeItem(LEFT);
  } catch {
    // There is none.
  }
}

/** In the storage of the tab: who was logged in when the page went without a network, and what it showed. */
export const LAST_STATE = 'hms-last-state';

export interface LastState {
  readonly person: Person;
  /** In ms since 1970. */
  readonly lastActive: number;
}

/** @returns undefined if nobody is logged in. */
export function sessionToKeep(): LastState | undefined {
  return state.kind === 'in' ? { person: state.person, lastActive } : undefined;
}

/** Goes on without a network where the page before has stopped. The next request that reaches the server refreshes. */
export function resume({ person, lastActive: at }: LastState): void {
  if (Date.now() - at > IDLE || hasLeft()) return;
  lastActive = at;
  change({ kind: 'in', person });
}

/** The first step of a login. @returns a challenge if the hospital asks for a code. @throws ApiError */
export async function login(email: string, password: string): Promise<Challenge | undefined> {
  // Whoever was here before must not stay logged in at the server.
  if (hasLeft()) await endAtServer();
  const outcome = await inLock(() => post<Tokens | Challenge>('login', { email, password }));
  if (!('accessToken' in outcome)) return outcome;
  lastActive = Date.now();
  await enter(outcome);
  return undefined;
}

/** The second step of a login. @throws ApiError */
export async function verify(challenge: string, code: string): Promise<void> {
  lastActive = Date.now();
  await enter(await inLock(() => post<Tokens>('verify', { challenge, code })));
}

export function resend(challenge: string): Promise<Challenge> {
  return post<Challenge>('resend', { challenge });
}

/** Ends the impersonation, which all modules then refuse. @throws ApiError */
export async function endActing({ impersonation: { id } }: Acting): Promise<void> {
  const token = await accessToken();
  await dataOf(
    apiClient(location.origin, token).POST('/api/auth/impersonations/{id}/end', { params: { path: { id } } }),
  );
  await inLock(() => post('impersonation/forget')).catch(() => undefined);
  end('expired');
}

/** Ends the session in all tabs, with everything that the pages have in memory. */
export async function logout(): Promise<void> {
  if (isActing) return state.kind === 'in' && state.acting ? endActing(state.acting) : end('expired');
  await endAtServer().catch(() => undefined);
  tell({ kind: 'left' });
  // Nothing of the page is kept. The next one tells the server, if this one could not.
  change({ kind: 'out' });
  leave();
}

/**
 * A token that can be sent now. While a login is shown over the page, this waits for it.
 * @throws ApiError if none can be had.
 */
export async function accessToken(): Promise<string> {
  for (;;) {
    if (access && state.kind === 'in' && access.expiresAt - Date.now() > MARGIN) return access.token;
    if (state.kind === 'in') await refresh();
    else await new Promise<void>((resolve) => waiting.add(resolve));
  }
}

/** Gets another token, because this one was refused. */
export async function renew(refused: string): Promise<void> {
  if (access?.token === refused) await refresh();
}

/** One refresh at a time in the whole browser: the refresh token is good for one. */
function refresh(): Promise<void> {
  refreshing ??= refreshInLock().finally(() => {
    refreshing = undefined;
  });
  return refreshing;
}

async function refreshInLock(): Promise<void> {
  const before = access;
  const tokens = await inLock(async () => {
    // Another tab was faster.
    if (access !== before) return undefined;
    try {
      const tokens = await post<Tokens | { readonly accessToken: null }>(
        isActing ? 'impersonation/refresh' : 'refresh',
      );
      if (tokens.accessToken !== null) return tokens;
      end('expired');
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiError) || (error.status !== 401 && error.status !== 403)) throw error;
      end('expired');
      return undefined;
    }
  });
  if (tokens) await enter(tokens);
}

interface Tokens {
  readonly accessToken: string;
  readonly expiresIn: number;
  readonly impersonation?: Impersonation;
  /** Seconds. */
  readonly endsIn?: number;
}

async function enter({ accessToken: token, expiresIn, impersonation, endsIn = 0 }: Tokens): Promise<void> {
  forgetLeft();
  const life = expiresIn * 1000;
  const former = 'person' in state ? state.person : undefined;
  const person =
    state.kind === 'in' ? state.person : await dataOf(apiClient(location.origin, token).GET('/api/auth/me'));
  const acting = impersonation && { impersonation, endsAt: Date.now() + endsIn * 1000 };
  const news: News = { kind: 'access', access: { token, life, expiresAt: Date.now() + life }, person, acting };
  tell(news);
  adopt(news, former);
}

/** Another person must not find what the one before has typed or read. */
function adopt({ access: given, person, acting }: Extract<News, { kind: 'access' }>, former: Person | undefined): void {
  if (former && former.id !== person.id) {
    leave();
    return;
  }
  access = given;
  schedule(given.life * 0.8 - (given.life - (given.expiresAt - Date.now())));
  if (state.kind !== 'in' || acting) change({ kind: 'in', person, acting });
}

function schedule(delay: number): void {
  clearTimeout(timer);
  timer = setTimeout(
    () => {
      if (state.kind !== 'in') return;
      // The next request of somebody who comes back in time refreshes.
      if (Date.now() - lastActive > IDLE / 2 && document.hidden) return;
      refresh().catch(() => schedule(RETRY));
    },
    Math.max(0, delay),
  );
}

function end(reason: 'expired' | 'idle'): void {
  tell({ kind: 'ended', reason });
  ended(reason);
}

function ended(reason: 'expired' | 'idle'): void {
  clearTimeout(timer);
  access = undefined;
  // Nobody logs in again here: the console begins another one.
  if (isActing) stopActing();
  else if (state.kind === 'in') change({ kind: 'ended', person: state.person, reason });
  else if (state.kind !== 'ended') change({ kind: 'out' });
}

/** Everything in memory goes with the page. */
function leave(): void {
  location.assign('/');
}

function tell(news: News): void {
  channel.postMessage(news);
}

channel.onmessage = ({ data: news }: MessageEvent<News>) => {
  switch (news.kind) {
    case 'access':
      return adopt(news, 'person' in state ? state.person : undefined);
    case 'ended':
      return ended(news.reason);
    case 'left':
      return leave();
    case 'active':
      lastActive = Math.max(lastActive, news.at);
  }
};

function watchActivity(): void {
  const active = () => {
    if (Date.now() - lastActive < ACTIVE_NEWS) return;
    if (isIdle()) return void endIdle();
    lastActive = Date.now();
    tell({ kind: 'active', at: lastActive });
  };
  for (const name of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
    addEventListener(name, active, { capture: true, passive: true });
  document.addEventListener('visibilitychange', () => void (isIdle() && endIdle()));
  setInterval(() => void (isIdle() && endIdle()), ACTIVE_NEWS);
}

/** When the session ends if nobody does anything, in ms since 1970. Undefined: nobody is logged in. */
export function idleEnd(): number | undefined {
  return state.kind === 'in' ? lastActive + IDLE : undefined;
}

function isIdle(): boolean {
  return state.kind === 'in' && Date.now() - lastActive > IDLE;
}

async function endIdle(): Promise<void> {
  if (isActing) return logout().catch(() => end('idle'));
  end('idle');
  await endAtServer().catch(() => undefined);
}

function inLock<T>(work: () => Promise<T>): Promise<T> {
  return navigator.locks.request(LOCK, work) as Promise<T>;
}

/** @throws ApiError for any answer but a success, or whatever fetch throws if there is none. */
async function post<Data>(path: string, body: object = {}): Promise<Data> {
  const response = await fetch(`/session/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    // Whoever logs out must not wait for a network that hangs.
    signal: AbortSignal.timeout(PATIENCE),
  });
  const envelope = await response.json().catch(() => undefined);
  if (!response.ok || envelope?.data === undefined) throw new ApiError(response, envelope);
  return envelope.data;
}
