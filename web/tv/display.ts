/**
 * The life of a television: it shows a code until somebody pairs it, and then signs in again and again. It never gives
 * up, and what it shows stays while the server can't be reached.
 */
import { Refusal } from '../kit/plain/refusal.ts';
import { start } from '../kit/start.ts';
import { Announcer } from './announcer.ts';
import { type Board, BoardStream } from './boards.ts';
import { Calls } from './calls.ts';
import { Naps } from './naps.ts';
import { type Pairing, Server, type ShownDisplay } from './server.ts';
import { updateShell } from './shell.ts';
import { announce, canSound, onSound } from './sound.ts';

export interface State {
  readonly shown:
    | { readonly kind: 'starting' }
    | { readonly kind: 'code'; readonly pairing: Pairing; readonly until: number }
    | { readonly kind: 'board'; readonly display: ShownDisplay };
  /** By clinic. They stay when the connection is lost. */
  readonly boards: ReadonlyMap<string, Board>;
  /** When the stream of boards was last heard, by the clock of this machine. */
  readonly followedAt: number;
  /** Until when the display shows which one it is, by the clock of this machine. */
  readonly identifyUntil: number;
  /** Code of what the server refuses at the moment. */
  readonly problem: string | undefined;
  /** When the server was last reached, by the clock of this machine. */
  readonly heardAt: number;
  /** How many ms the server's clock is ahead. */
  readonly ahead: number;
}

/** In ms, like all of these. How often the display says how it is, and asks what to show. */
const REFRESH = 60_000;
/** An access token is renewed after this time, or earlier if it expires. It is also the sign that the display is on. */
const RENEW = 4 * 60_000;
const HEARTBEAT = 30_000;
/** A server that has not been heard for so long can't be reached. A stream of boards says something every 10 s. */
export const SILENT = { followed: 18_000, asked: 45_000 };
const REFUSED = 30_000;
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 4_000;
/** Televisions that get the network back at the same moment do not all ask at the same moment. */
const SPREAD = 1_000;
/** Nobody seems to be about to pair a display that has shown many codes. It asks less often, in how many intervals. */
const LEAST_OFTEN = 6;
/** After a call, nobody misses anything while the page is loaded again. */
const QUIET = 30_000;
/** A busy waiting room is never quiet. */
const LONGEST_WAIT = 10 * 60_000;
const RELOADED = 'hms-tv-builds';
const RELOAD_AGAIN = 60 * 60_000;

let state: State = {
  ...{ shown: { kind: 'starting' }, boards: new Map(), problem: undefined },
  ...{ heardAt: Date.now(), followedAt: 0, identifyUntil: 0, ahead: 0 },
};
const calls = new Calls();
const announcer = new Announcer((call) => announce(call, voices()), serverNow);
/** When the last board came, and the last call, by the clock of this machine. */
const last = { board: 0, call: 0 };
const naps = new Naps();
const stream = new BoardStream({
  wanted: () =>
    state.shown.kind === 'board' && token.value !== ''
      ? { token: token.value, clinicIds: state.shown.display.clinics.map(({ id }) => id) }
      : undefined,
  onBoard: show,
  onDisplay: () => naps.wake(),
  onBegin: answered,
  onHeard: () => change({ heardAt: Date.now(), followedAt: Date.now() }),
  onRefused: () => {
    token = NO_TOKEN;
    naps.wake();
  },
});
const listeners = new Set<() => void>();
const server = new Server(answered);
const NO_TOKEN = { value: '', renewAt: 0 };
let token = NO_TOKEN;
/** How many codes were shown since the page was opened. */
let codes = 0;

export function displayState(): State {
  return state;
}

export function onDisplay(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(changes: Partial<State>): void {
  state = { ...state, ...changes };
  for (const listener of listeners) listener();
}

/** @param serverTime ms since 1970, or NaN */
function answered(serverTime: number): void {
  change({ heardAt: Date.now(), ...(Number.isNaN(serverTime) ? {} : { ahead: serverTime - Date.now() }) });
}

/** Runs for as long as the page is open. */
export function live(): void {
  void forever(step, naps);
  void forever(heartbeat, new Naps());
  void stream.run();
  onSound(() => naps.wake());
  addEventListener('online', () => {
    setTimeout(() => {
      naps.wake();
      stream.restart();
    }, Math.random() * SPREAD);
  });
}

/** By the clock of the server, in ms since 1970. */
function serverNow(): number {
  return Date.now() + state.ahead;
}

function voices() {
  return state.shown.kind === 'board' ? state.shown.display.voices : [];
}

/** Shows a board, and announces who is called on it. */
function show(board: Board): void {
  const shown = state.boards.get(board.clinicId);
  if (shown && shown.serviceDate === board.serviceDate && shown.revision > board.revision) return;
  last.board = Date.now();
  change({ boards: new Map(state.boards).set(board.clinicId, board) });
  const fresh = calls.newOn(board, serverNow());
  if (fresh.length === 0) return;
  last.call = Date.now();
  announcer.add(fresh);
}

/** @param work answers in how many ms it has to run again. */
async function forever(work: () => Promise<number>, naps: Naps): Promise<void> {
  let pause = FIRST_PAUSE;
  for (;;) {
    try {
      await naps.sleep(await work());
      pause = FIRST_PAUSE;
    } catch {
      // All televisions of a hospital lose the network at the same time, and must not return at the same time.
      await naps.sleep(pause * (0.5 + Math.random() / 2));
      pause = Math.min(pause * 2, LONGEST_PAUSE);
    }
  }
}

async function step(): Promise<number> {
  try {
    const pause = await signIn();
    if (state.problem !== undefined) change({ problem: undefined });
    return pause;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    change({ problem: error.code });
    if (error.status >= 500) throw error;
    return (error.retryAfter ?? 0) * 1000 || REFUSED;
  }
}

async function signIn(): Promise<number> {
  if (Date.now() >= token.renewAt) {
    const answer = await renewed();
    if (answer === 'unpaired') return pair();
    if (answer === 'waiting') return state.shown.kind === 'code' ? waitOn(state.shown) : pair();
  }
  try {
    const display = await server.report(token.value, {
      build: start.build,
      sound: canSound() ? 'on' : 'off',
      boardAt: last.board === 0 ? null : new Date(last.board + state.ahead).toISOString(),
    });
    // What is shown is up to a second behind: without an end in the past, the name would flash up at each report.
    const identifyUntil = display.identifyMs > 0 ? Date.now() + display.identifyMs : 0;
    change({ shown: { kind: 'board', display }, identifyUntil });
    stream.look();
  } catch (error) {
    // The next step finds out why: whether the display was unpaired, or the hospital suspended.
    if (error instanceof Refusal) token = NO_TOKEN;
    if (error instanceof Refusal && (error.status === 401 || error.status === 404)) return FIRST_PAUSE;
    throw error;
  }
  return Math.max(FIRST_PAUSE, Math.min(REFRESH, token.renewAt - Date.now()));
}

/** Gets another token. Only a second refusal counts: the first one may be about a secret that was just replaced. */
async function renewed(isRepeated = false): Promise<'ready' | 'waiting' | 'unpaired'> {
  try {
    const { accessToken, expiresIn } = await server.token();
    if (accessToken === null) return 'unpaired';
    token = { value: accessToken, renewAt: Date.now() + Math.min(expiresIn * 800, RENEW) };
    stream.look();
    return 'ready';
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'AUTHORIZATION_PENDING') return 'waiting';
    if (error.code !== 'EXPIRED_TOKEN') throw error;
    if (isRepeated) return 'unpaired';
    await new Naps().sleep(FIRST_PAUSE);
    return renewed(true);
  }
}

async function pair(): Promise<number> {
  const pairing = await server.start();
  codes += 1;
  // Whoever is not paired any more sees nothing of the queues.
  change({ shown: { kind: 'code', pairing, until: Date.now() + pairing.expiresIn * 1000 }, boards: new Map() });
  return pauseOf(pairing);
}

/** A code that has expired is replaced, also if the clock of this machine was changed. */
function waitOn({ pairing, until }: Extract<State['shown'], { kind: 'code' }>): Promise<number> | number {
  return Date.now() >= until ? pair() : pauseOf(pairing);
}

function pauseOf({ interval }: Pairing): number {
  return interval * 1000 * Math.min(codes, LEAST_OFTEN);
}

/** Shows that the server can be reached, and loads the page again when the server has newer pages. */
async function heartbeat(): Promise<number> {
  const build = await server.build();
  if (build !== start.build && !wasReloadedFor(build) && (await updateShell(build))) {
    await quiet();
    sessionStorage.setItem(RELOADED, JSON.stringify({ ...reloads(), [build]: Date.now() }));
    location.reload();
  }
  return HEARTBEAT;
}

/** Resolves when nobody was called for a while. Not for all televisions at once. */
async function quiet(): Promise<void> {
  const begun = Date.now();
  const pause = new Naps();
  await pause.sleep(Math.random() * HEARTBEAT);
  while ((announcer.isBusy || Date.now() - last.call < QUIET) && Date.now() - begun < LONGEST_WAIT)
    await pause.sleep(FIRST_PAUSE);
}

/** Once an hour for each version: servers that have two of them, as during a release, must not cause a loop. */
function wasReloadedFor(build: string): boolean {
  return Date.now() - (reloads()[build] ?? 0) < RELOAD_AGAIN;
}

function reloads(): Readonly<Record<string, number>> {
  return JSON.parse(sessionStorage.getItem(RELOADED) ?? '{}');
}
