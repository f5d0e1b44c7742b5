/** Reads what the link shows, as often as it is of use, and answers. */
import type { Schemas } from '@hms/api-client';
import { dataIn, Refusal } from '../kit/plain/refusal.ts';
import { start } from '../kit/start.ts';

export type Visit = Schemas['PatientVisit'];
type Answer = Visit['answers'][number];

interface State {
  readonly visit: Visit | undefined;
  /** Code of what does not work. */
  readonly problem: string | undefined;
  /** Since when no answer has come, in ms since 1970. */
  readonly lostSince: number | undefined;
  readonly isBusy: boolean;
}

const SECOND = 1_000;
const TIMEOUT = 20 * SECOND;
/** After an answer that another one can't change. */
const FINAL: readonly string[] = ['LINK_INVALID', 'LINK_EXPIRED', 'HOSPITAL_UNKNOWN'];
/** What the server calls a link that can't even be read. */
const NOT_A_LINK = 'VALIDATION_FAILED';
/** How many people ahead still leave time, and how often the page is read until then. */
const NEAR = { people: 3, every: 15 * SECOND };
const SOON = { people: 10, every: 30 * SECOND };
const LATER = 60 * SECOND;

const path = (what: string) => `/api/auth/patient-links/${what}`;
const listeners = new Set<() => void>();
let state: State = { visit: undefined, problem: undefined, lostSince: undefined, isBusy: false };
let timer: ReturnType<typeof setTimeout> | undefined;
/** Answers that were overtaken are not shown. */
let latest = 0;

export function onChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function current(): State {
  return state;
}

/** Begins, and begins again with another link, or when somebody looks at the page again. */
export function follow(): void {
  window.addEventListener('hashchange', () => {
    set({ visit: undefined, problem: undefined });
    void read();
  });
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void read();
  });
  window.addEventListener('online', () => void read());
  void read();
}

/** Answers for the patient. */
export async function answer(given: Answer): Promise<void> {
  if (state.isBusy) return;
  set({ isBusy: true });
  await request('answer', { answer: given });
  set({ isBusy: false });
}

const read = () => request('read', {});

async function request(what: 'read' | 'answer', more: object): Promise<void> {
  clearTimeout(timer);
  latest += 1;
  const own = latest;
  try {
    const visit = await post(what, more);
    if (own === latest) set({ visit, problem: undefined, lostSince: undefined });
  } catch (error) {
    if (own !== latest) return;
    if (!(error instanceof Refusal)) {
      set({ lostSince: state.lostSince ?? Date.now() });
      return again(NEAR.every);
    }
    const problem = error.code === NOT_A_LINK ? 'LINK_INVALID' : error.code;
    set({ problem, lostSince: undefined });
    if (problem === 'LINK_USED') return reload(own);
    if (!FINAL.includes(problem)) again((error.retryAfter ?? 0) * SECOND || NEAR.every);
    return;
  }
  const pause = state.visit && pauseOf(state.visit);
  if (pause !== undefined) again(pause);
}

/** What the appointment has become, under the sentence that it could not be answered. */
async function reload(own: number): Promise<void> {
  const visit = await post('read', {}).catch(() => undefined);
  if (own === latest && visit) set({ visit });
}

async function post(what: string, more: object): Promise<Visit> {
  const link = location.hash.slice(1);
  const response = await fetch(path(what), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    credentials: 'omit',
    body: JSON.stringify({ hospital: start.realm, link, ...more }),
    signal: AbortSignal.timeout(TIMEOUT),
  });
  return dataIn<Visit>(response);
}

/** Phones do not come at the same moment. A hidden page is read again when somebody looks at it. */
function again(pause: number): void {
  clearTimeout(timer);
  timer = setTimeout(
    () => {
      if (!document.hidden) void read();
    },
    pause * (0.85 + 0.3 * Math.random()),
  );
}

/** @returns undefined if nothing changes any more by itself. */
function pauseOf({ queue, appointment }: Visit): number | undefined {
  if (queue?.status === 'waiting') {
    const ahead = queue.ahead ?? 0;
    return ahead <= NEAR.people ? NEAR.every : ahead <= SOON.people ? SOON.every : LATER;
  }
  if (queue?.status === 'called') return NEAR.every;
  if (queue?.status === 'serving') return LATER;
  const isAhead = appointment && ['offered', 'booked', 'confirmed', 'checked_in'].includes(appointment.status);
  return isAhead ? LATER : undefined;
}

function set(changes: Partial<State>): void {
  state = { ...state, ...changes };
  for (const listener of listeners) listener();
}
