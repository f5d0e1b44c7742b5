/** The whole screen: head with name and clock, code or board, and whether the server can be reached. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLook } from '../kit/plain/look.ts';
import { start } from '../kit/start.ts';
import { Board, type Freshness } from './board.tsx';
import { displayState, onDisplay, SILENT } from './display.ts';
import { type Language, languageOf, say } from './language.ts';
import { PairingPage } from './pairing.tsx';
import { allowSound, canSound, onSound } from './sound.ts';

const TICK = 1_000;

export function Tv() {
  const { shown, boards, followedAt, problem, heardAt, identifyUntil, ahead } = useSyncExternalStore(
    onDisplay,
    displayState,
  );
  const now = useNow();
  const display = shown.kind === 'board' ? shown.display : undefined;
  const language = languageOf(display?.hospital.language ?? navigator.language);
  const zone = display?.hospital.timezone;
  const time = clockOf(language, zone);
  // What is shown is as old as the last word of the stream of boards.
  const isFollowed = display !== undefined && display.clinics.length > 0 && followedAt !== 0;
  const reachedAt = isFollowed ? followedAt : heardAt;
  const silent = isFollowed ? SILENT.followed : SILENT.asked;
  const freshness = freshnessOf(now - reachedAt, silent);
  const isLost = freshness !== 'live' || !navigator.onLine;
  const hospital = display?.hospital.name ?? start.name ?? '';
  useLook(language, display?.hospital.primaryColor ?? start.primaryColor, hospital || 'Display');
  return (
    <div className="screen" style={shiftAt(now)}>
      <header>
        <p className="hospital">
          <bdi>{hospital}</bdi>
        </p>
        {display && <Clock language={language} zone={zone} at={now + ahead} />}
      </header>
      {shown.kind === 'starting' && (
        <main className="starting">{problem === undefined && language.words.starting}</main>
      )}
      {shown.kind === 'code' && <PairingPage pairing={shown.pairing} until={time(shown.until)} language={language} />}
      {shown.kind === 'board' && (
        <Board
          {...{ display: shown.display, boards, language, now: now + ahead }}
          freshness={freshness}
          asOf={followedAt === 0 ? undefined : time(followedAt + ahead)}
        />
      )}
      <footer>
        {display && <SoundButton language={language} />}
        <p role="status" className={isLost || problem !== undefined ? 'trouble' : ''}>
          {problem !== undefined && navigator.onLine && now - heardAt <= SILENT.asked
            ? problemOf(language, problem)
            : isLost
              ? say(language.words.lostSince, { time: time(reachedAt + ahead) })
              : language.words.connected}
        </p>
        {display && (
          <p className="name">
            {language.words.pairedAs}: <bdi>{display.name}</bdi>
          </p>
        )}
      </footer>
      {display && now < identifyUntil && (
        <p className="identify" role="alert">
          <bdi>{display.name}</bdi>
        </p>
      )}
    </div>
  );
}

/** A board may be wrong when the server is silent. After five minutes, nobody should rely on it. */
function freshnessOf(age: number, silent: number): Freshness {
  return age < silent ? 'live' : age < 300_000 ? 'late' : 'away';
}

/** Screens keep traces of what never moves: each minute, everything is a few pixels elsewhere. */
function shiftAt(now: number) {
  const minute = Math.floor(now / 60_000);
  const [x = 0, y = 0] = SHIFTS[minute % SHIFTS.length] ?? [];
  return { translate: `${x}px ${y}px` };
}

const SHIFTS = [
  ...[
    [0, 0],
    [2, 1],
    [4, 2],
    [2, 3],
    [0, 4],
  ],
  ...[
    [-2, 3],
    [-4, 2],
    [-2, 1],
  ],
];

/** Browsers play nothing before somebody has touched the page. */
function SoundButton({ language: { words } }: { readonly language: Language }) {
  const isOn = useSyncExternalStore(onSound, canSound);
  if (isOn) return null;
  return (
    <button type="button" onClick={() => void allowSound()}>
      {words.soundOff}
    </button>
  );
}

interface ClockProps {
  readonly language: Language;
  readonly zone: string | undefined;
  /** By the server's clock. */
  readonly at: number;
}

function Clock({ language, zone, at }: ClockProps) {
  const day = new Intl.DateTimeFormat(language.locale, { dateStyle: 'full', ...(zone ? { timeZone: zone } : {}) });
  return (
    <p className="clock">
      <span>{day.format(at)}</span> <time>{clockOf(language, zone)(at)}</time>
    </p>
  );
}

/** Time of day in a zone. */
function clockOf({ locale }: Language, zone: string | undefined): (at: number) => string {
  const format = new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(zone ? { timeZone: zone } : {}),
  });
  return (at) => format.format(at);
}

function problemOf({ words }: Language, code: string): string {
  return words.problem[code as keyof typeof words.problem] ?? words.problem.other;
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK);
    return () => clearInterval(timer);
  }, []);
  return now;
}
