/** The whole screen: head with name and clock, code or board, and whether the server can be reached. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { start } from '../kit/start.ts';
import { contrastToWhite, shadesOf } from '../kit/ui/colors.ts';
import { Board } from './board.tsx';
import { displayState, onDisplay, SILENT } from './display.ts';
import { type Language, languageOf, say } from './language.ts';
import { PairingPage } from './pairing.tsx';

const TICK = 1_000;

export function Tv() {
  const { shown, problem, heardAt, ahead } = useSyncExternalStore(onDisplay, displayState);
  const now = useNow();
  const display = shown.kind === 'board' ? shown.display : undefined;
  const language = languageOf(display?.hospital.language ?? navigator.language);
  const zone = display?.hospital.timezone;
  const time = clockOf(language, zone);
  const isLost = now - heardAt > SILENT;
  const hospital = display?.hospital.name ?? start.name ?? '';
  useLook(language, display?.hospital.primaryColor ?? start.primaryColor, hospital);
  return (
    <>
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
      {shown.kind === 'board' && <Board display={shown.display} language={language} />}
      <footer>
        <p role="status" className={isLost || problem !== undefined ? 'trouble' : ''}>
          {isLost
            ? say(language.words.lostSince, { time: time(heardAt + ahead) })
            : problem === undefined
              ? language.words.connected
              : problemOf(language, problem)}
        </p>
        {display && (
          <p>
            {language.words.pairedAs}: <bdi>{display.name}</bdi>
          </p>
        )}
      </footer>
    </>
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

const OWN = '#0b5c6e';

/** Language, direction, color and title of the document. */
function useLook(language: Language, color: string | null, title: string): void {
  useEffect(() => {
    const { documentElement: root } = document;
    root.lang = language.locale.slice(0, 2);
    root.dir = language.direction;
    document.title = title || 'Display';
    root.style.setProperty('--brand', darkest(color ?? OWN));
  }, [language, color, title]);
}

/** The hospital's color, dark enough that white can be read from far away. */
function darkest(color: string): string {
  const shades = shadesOf(color).slice(6);
  return shades.find((shade) => contrastToWhite(shade) >= 7) ?? shades.at(-1) ?? OWN;
}
