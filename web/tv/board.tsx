/** What a paired display shows: the queues of its clinics, readable from the end of the waiting room. */
import type { Board as Queue } from './boards.ts';
import { type Language, say } from './language.ts';
import type { ShownDisplay } from './server.ts';

interface Props {
  readonly display: ShownDisplay;
  readonly boards: ReadonlyMap<string, Queue>;
  readonly language: Language;
  /** By the server's clock, in ms. */
  readonly now: number;
  /** How old what is shown is: it is dimmed when nobody can rely on it. */
  readonly freshness: 'live' | 'late' | 'away';
}

/** How long a call stands out, in ms. */
const FRESH = 30_000;
/** Of those who wait, as many as fit. */
const NEXT = 6;

export function Board({ display: { clinics }, boards, language, now, freshness }: Props) {
  return (
    <main className={`board ${freshness}`} data-columns={Math.min(clinics.length, 4)}>
      <h1 className="hidden">{language.words.clinics}</h1>
      {clinics.map(({ id, name }) => (
        <section key={id} aria-label={name}>
          <h2>
            <bdi>{name}</bdi>
          </h2>
          <Clinic board={boards.get(id)} language={language} now={now} />
        </section>
      ))}
      <p className="hidden" aria-live="polite">
        {lastCall([...boards.values()], language)}
      </p>
    </main>
  );
}

interface ClinicProps {
  readonly board: Queue | undefined;
  readonly language: Language;
  readonly now: number;
}

function Clinic({ board, language: { words }, now }: ClinicProps) {
  if (!board) return <p className="small">{words.starting}</p>;
  const { called, serving, next, waiting } = board;
  return (
    <>
      <ul className="calls">
        {called.map(({ label, initials, room, since }) => (
          <li key={label} className={now - Date.parse(since) < FRESH ? 'fresh' : ''}>
            <Token {...{ label, initials }} />
            {room !== null && (
              <span className="room">
                <bdi>{room}</bdi>
              </span>
            )}
          </li>
        ))}
        {serving.map(({ label, initials, room }) => (
          <li key={label} className="inside">
            <Token {...{ label, initials }} />
            {room !== null && (
              <span className="room">
                <bdi>{room}</bdi>
              </span>
            )}
          </li>
        ))}
      </ul>
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

function Token({ label, initials }: { readonly label: string; readonly initials: string | null }) {
  return (
    <span className="token">
      <bdi dir="ltr">{label}</bdi>
      {initials !== null && <small> {initials}</small>}
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
