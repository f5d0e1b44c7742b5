/** What a paired display shows: the queues of its clinics, readable from the end of the waiting room. */
import type { CSSProperties } from 'react';
import type { Board as Queue } from './boards.ts';
import { type Language, say, sayFor } from './language.ts';
import type { ShownDisplay } from './server.ts';

/** How old what is shown is. It is dimmed when nobody can rely on it. */
export type Freshness = 'live' | 'late' | 'away';

interface Props {
  readonly display: ShownDisplay;
  readonly boards: ReadonlyMap<string, Queue>;
  readonly language: Language;
  /** By the server's clock, in ms. */
  readonly now: number;
  readonly freshness: Freshness;
  /** When the boards were last right, as a time of day. Undefined before the first one. */
  readonly asOf: string | undefined;
}

/** How long a call stands out, in ms. */
const FRESH = 30_000;
/** Of those who wait, as many as fit. */
const NEXT = 6;
/** More calls than that are in two columns. */
const MOST_ROWS = 4;
/** The same, where four clinics share the screen. */
const MOST_ROWS_DENSE = 2;
/** Clinics that are readable at the same time. More of them take turns, for so many ms. */
const TOGETHER = 4;
const TURN = 15_000;

export function Board({ display: { clinics, notices }, boards, language, now, freshness, asOf }: Props) {
  const { words } = language;
  const shown = turnOf(clinics, boards, now);
  const isDense = shown.length > 2;
  return (
    <main className={`board ${freshness}`}>
      <h1 className="hidden">{words.clinics}</h1>
      {freshness !== 'live' && asOf !== undefined && (
        <p className="age" role="status">
          {say(freshness === 'late' ? words.asOf : words.askDesk, { time: asOf })}
        </p>
      )}
      <div className={isDense ? 'clinics dense' : 'clinics'} data-columns={shown.length}>
        {shown.map(({ id, name }) => (
          <section
            key={id}
            aria-label={name}
            style={laidOut(boards.get(id)?.called ?? [], isDense ? MOST_ROWS_DENSE : MOST_ROWS)}
          >
            <h2 dir="auto">{name}</h2>
            <Clinic board={boards.get(id)} language={language} now={now} />
          </section>
        ))}
      </div>
      {notices.length > 0 && <Notices notices={notices} label={words.notices} now={now} />}
      <p className="hidden" aria-live="polite">
        {lastCall([...boards.values()], language)}
      </p>
    </main>
  );
}

/** The clinics that are shown now: whoever has just called, or those whose turn it is. */
function turnOf<Clinic extends { readonly id: string }>(
  clinics: readonly Clinic[],
  boards: ReadonlyMap<string, Queue>,
  now: number,
): readonly Clinic[] {
  const turns = Array.from({ length: Math.ceil(clinics.length / TOGETHER) }, (_, turn) =>
    clinics.slice(turn * TOGETHER, (turn + 1) * TOGETHER),
  );
  const lastCallOf = ({ id }: Clinic) =>
    Math.max(0, ...(boards.get(id)?.called.map(({ since }) => Date.parse(since)) ?? []));
  const [last] = clinics.toSorted((one, other) => lastCallOf(other) - lastCallOf(one));
  const isFresh = last && now - lastCallOf(last) < FRESH;
  return (isFresh && turns.find((turn) => turn.includes(last))) || (turns[Math.floor(now / TURN) % turns.length] ?? []);
}

interface NoticesProps {
  readonly notices: readonly string[];
  readonly label: string;
  readonly now: number;
}

/** One of them at a time, long enough to be read twice. */
function Notices({ notices, label, now }: NoticesProps) {
  const text = notices[Math.floor(now / TURN) % notices.length] ?? '';
  // Letters of half the size take a quarter of the space.
  return (
    <aside aria-label={label} style={{ '--length': Math.sqrt(text.length) } as CSSProperties}>
      <p dir="auto">{text}</p>
    </aside>
  );
}

interface ClinicProps {
  readonly board: Queue | undefined;
  readonly language: Language;
  readonly now: number;
}

function Clinic({ board, language, now }: ClinicProps) {
  const { words } = language;
  if (!board) return <p className="small">{words.starting}</p>;
  const { called, serving, next, waiting } = board;
  return (
    <>
      {called.length > 0 && (
        <ul className="calls">
          {called.map((entry) => (
            <Called key={entry.label} entry={entry} isFresh={now - Date.parse(entry.since) < FRESH} />
          ))}
        </ul>
      )}
      {serving.length > 0 && (
        <ul className="inside" style={{ '--token-width': widest(serving) } as CSSProperties}>
          {serving.map((entry) => (
            <Called key={entry.label} entry={entry} isFresh={false} />
          ))}
        </ul>
      )}
      {next.length > 0 && (
        <div className="coming">
          <h3>{words.next}</h3>
          <ol className="next">
            {next.slice(0, NEXT).map(({ label, initials, etaP50, etaP80 }) => (
              <li key={label}>
                <Token {...{ label, initials }} />
                <span className="wait">{waitOf(language, etaP50, etaP80)}</span>
              </li>
            ))}
          </ol>
        </div>
      )}
      {waiting === 0 ? (
        <p className="small">{words.nobody}</p>
      ) : (
        <p className="small count">{say(words.waiting, { count: String(waiting) })}</p>
      )}
    </>
  );
}

interface Entry {
  readonly label: string;
  readonly initials: string | null;
  readonly room: string | null;
}

/** Who has to come, or is inside, and where. */
function Called({ entry, isFresh }: { readonly entry: Entry; readonly isFresh: boolean }) {
  const { label, initials, room } = entry;
  return (
    <li className={isFresh ? 'fresh' : ''}>
      <Token {...{ label, initials }} />
      {room !== null && (
        <span className="room" dir="auto">
          {room}
        </span>
      )}
    </li>
  );
}

/** For the style sheet: columns and rows of calls, and about how many em of a token the widest token and room have. */
function laidOut(calls: readonly Entry[], mostRows: number) {
  const columns = calls.length > mostRows ? 2 : 1;
  return {
    '--columns': columns,
    '--rows': Math.max(1, Math.ceil(calls.length / columns)),
    '--token-width': widest(calls),
    '--room-width': Math.max(0, ...calls.map(({ room }) => (room?.length ?? 0) * 0.27)),
  } as CSSProperties;
}

/** About how many em the widest token has. */
function widest(entries: readonly Entry[]): number {
  return Math.max(1, ...entries.map(({ label, initials }) => label.length * 0.65 + (initials?.length ?? 0) * 0.5));
}

function Token({ label, initials }: Pick<Entry, 'label' | 'initials'>) {
  return (
    <span className="token">
      <bdi dir="ltr">{label}</bdi>
      {initials !== null && (
        <small>
          {' '}
          <bdi>{initials}</bdi>
        </small>
      )}
    </span>
  );
}

function waitOf(language: Language, p50: number, p80: number): string {
  const { minutes, minutesTo } = language.words;
  return sayFor(p80, p50 === p80 ? minutes : minutesTo, language, { from: String(p50), to: String(p80) });
}

/** For people who hear the page. */
function lastCall(boards: readonly Queue[], { words }: Language): string {
  const [last] = boards
    .flatMap(({ called }) => called)
    .sort((one, other) => Date.parse(other.since) - Date.parse(one.since));
  if (!last) return '';
  return last.room === null
    ? say(words.call, { token: last.label })
    : say(words.callTo, { token: last.label, room: last.room });
}
