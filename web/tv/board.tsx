/** What a paired display shows: the queues of its clinics, readable from the end of the waiting room. */
import type { CSSProperties } from 'react';
import type { Board as Queue } from './boards.ts';
import { type Language, say } from './language.ts';
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
          <section key={id} aria-label={name}>
            <h2>
              <bdi>{name}</bdi>
            </h2>
            <Clinic
              board={boards.get(id)}
              mostRows={isDense ? MOST_ROWS_DENSE : MOST_ROWS}
              language={language}
              now={now}
            />
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
  return (
    <aside aria-label={label}>
      <p>
        <bdi>{notices[Math.floor(now / TURN) % notices.length]}</bdi>
      </p>
    </aside>
  );
}

interface ClinicProps {
  readonly board: Queue | undefined;
  /** Of calls in one column. */
  readonly mostRows: number;
  readonly language: Language;
  readonly now: number;
}

function Clinic({ board, mostRows, language: { words }, now }: ClinicProps) {
  if (!board) return <p className="small">{words.starting}</p>;
  const { called, serving, next, waiting } = board;
  return (
    <>
      {called.length > 0 && (
        <ul className="calls" style={laidOut(called, mostRows)}>
          {called.map((entry) => (
            <Called key={entry.label} entry={entry} isFresh={now - Date.parse(entry.since) < FRESH} />
          ))}
        </ul>
      )}
      {serving.length > 0 && (
        <ul className="inside" style={laidOut(serving, mostRows)}>
          {serving.map((entry) => (
            <Called key={entry.label} entry={entry} isFresh={false} />
          ))}
        </ul>
      )}
      {next.length > 0 && (
        <>
          <h3>{words.next}</h3>
          <ol className="next">
            {next.slice(0, NEXT).map(({ label, initials, etaP50, etaP80 }) => (
              <li key={label}>
                <Token {...{ label, initials }} />
                <span className="wait">{waitOf(words, etaP50, etaP80)}</span>
              </li>
            ))}
          </ol>
        </>
      )}
      <p className="small">{waiting === 0 ? words.nobody : say(words.waiting, { count: String(waiting) })}</p>
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
        <span className="room">
          <bdi>{room}</bdi>
        </span>
      )}
    </li>
  );
}

/** For the style sheet: columns and rows, and about how many em the widest token and room have. */
function laidOut(entries: readonly Entry[], mostRows: number) {
  const columns = entries.length > mostRows ? 2 : 1;
  const tokens = entries.map(({ label, initials }) => label.length * 0.65 + (initials?.length ?? 0) * 0.5);
  return {
    '--columns': columns,
    '--rows': Math.ceil(entries.length / columns),
    '--token-width': Math.max(...tokens),
    '--room-width': Math.max(...entries.map(({ room }) => (room?.length ?? 0) * 0.27)),
  } as CSSProperties;
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

function waitOf(words: Language['words'], p50: number, p80: number): string {
  return p50 === p80
    ? say(words.minutes, { from: String(p50) })
    : say(words.minutesTo, { from: String(p50), to: String(p80) });
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
