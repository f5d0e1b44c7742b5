/** A patient's own page: the appointment, an answer with one press, and the turn in the queue. */
import { useEffect, useState, useSyncExternalStore } from 'react';
import { type Language as LanguageWith, languages, say, sayFor } from '../kit/plain/language.ts';
import { useLook } from '../kit/plain/look.ts';
import { start } from '../kit/start.ts';
import { answer, current, onChange, type Visit } from './follow.ts';
import { words as ar } from './words/ar.ts';
import { words as en, type Words } from './words/en.ts';

type Language = LanguageWith<Words>;
const languageOf = languages<Words>(en, ar);

export function VisitPage() {
  const { visit, problem, lostSince, isBusy } = useSyncExternalStore(onChange, current);
  const language = languageOf(visit?.language ?? navigator.language);
  const { words } = language;
  const hospital = visit?.hospital.name ?? start.name ?? '';
  const turn = visit?.queue ?? undefined;
  useLook(language, start.primaryColor, titleOf(hospital, turn, words));
  useBuzz(turn?.status === 'called');
  return (
    <>
      <header>
        <bdi>{hospital}</bdi>
      </header>
      <main>
        {visit?.firstName && <p className="hello">{say(words.hello, { name: visit.firstName })}</p>}
        {visit?.queue && <Turn turn={visit.queue} language={language} />}
        {visit?.appointment && <Appointment visit={visit} language={language} isBusy={isBusy} />}
        <p role="alert" className="trouble">
          {problem !== undefined && problemOf(words, problem)}
        </p>
        {!visit && problem === undefined && lostSince === undefined && <p>{words.loading}</p>}
        {visit?.hospital.phone && (
          <p>
            <a href={`tel:${visit.hospital.phone}`}>
              {before(words.call)}
              <bdi dir="ltr">{visit.hospital.phone}</bdi>
            </a>
          </p>
        )}
        <p role="status" className="trouble">
          {lostSince !== undefined && say(words.lostSince, { time: clock(language).format(lostSince) })}
        </p>
      </main>
    </>
  );
}

interface TurnProps {
  readonly turn: NonNullable<Visit['queue']>;
  readonly language: Language;
}

function Turn({ turn, language }: TurnProps) {
  const { words } = language;
  const { label, status, clinicName, roomName, ahead } = turn;
  return (
    <section className={status === 'called' ? 'turn called' : 'turn'} aria-labelledby="turn">
      <h1 id="turn">{words.turnTitle}</h1>
      <p className="label">{words.yourNumber}</p>
      <p className="number" dir="ltr">
        {label}
      </p>
      <div role="status">
        {status === 'called' && (
          <p className="big">{roomName === null ? words.come : <Sentence of={words.comeTo} room={roomName} />}</p>
        )}
        {status === 'waiting' && (
          <>
            <p className="big">{aheadOf(words, ahead ?? 0)}</p>
            <p>{estimateOf(language, turn)}</p>
          </>
        )}
        {status !== 'called' && status !== 'waiting' && <p className="big">{words.turn[status]}</p>}
      </div>
      <p className="small">
        <bdi>{clinicName}</bdi>
      </p>
    </section>
  );
}

interface AppointmentProps {
  readonly visit: Visit;
  readonly language: Language;
  readonly isBusy: boolean;
}

function Appointment({ visit, language, isBusy }: AppointmentProps) {
  const { words, locale } = language;
  const [isSure, setSure] = useState(true);
  const { appointment, hospital, answers, queue } = visit;
  if (!appointment) return null;
  const { startsAt, doctorName, clinicName, status, offerExpiresAt } = appointment;
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short', timeZone: hospital.timezone });
  const isOffer = status === 'offered';
  const mayYes = answers.includes('yes');
  const ask = () => (isOffer ? void answer('no') : setSure(false));
  return (
    <section aria-labelledby="appointment">
      <h1 id="appointment">{words.title}</h1>
      <p className="big">{time.format(Date.parse(startsAt))}</p>
      <dl>
        <dt>{words.with}</dt>
        <dd>
          <bdi>{doctorName}</bdi>
        </dd>
        <dt>{words.where}</dt>
        <dd>
          <bdi>{clinicName}</bdi>
        </dd>
      </dl>
      {!queue && (
        <p role="status" className="state">
          {status === 'booked' && !mayYes ? words.answered : words.state[status]}
        </p>
      )}
      {isOffer && offerExpiresAt !== null && (
        <p>{say(words.keptUntil, { time: time.format(Date.parse(offerExpiresAt)) })}</p>
      )}
      {answers.length > 0 && isSure && (
        <p className="buttons">
          {mayYes && (
            <button type="button" disabled={isBusy} onClick={() => void answer('yes')}>
              {isOffer ? words.take : words.confirm}
            </button>
          )}
          <button type="button" className="plain" disabled={isBusy} onClick={ask}>
            {isOffer ? words.decline : mayYes ? words.cancel : words.cancelConfirmed}
          </button>
        </p>
      )}
      {answers.length > 0 && !isSure && (
        <>
          <p>{words.really}</p>
          <p className="buttons">
            <button type="button" className="danger" disabled={isBusy} onClick={() => void answer('no')}>
              {words.reallyYes}
            </button>
            <button type="button" className="plain" ref={focused} onClick={() => setSure(true)}>
              {words.reallyNo}
            </button>
          </p>
        </>
      )}
    </section>
  );
}

/** Focuses what takes the place of the button that was pressed. */
function focused(element: HTMLElement | null): void {
  element?.focus();
}

/** A sentence with the name of a room, which may have another direction. */
function Sentence({ of, room }: { readonly of: string; readonly room: string }) {
  const [first = '', last = ''] = of.split('{room}');
  return (
    <>
      {first}
      <bdi>{room}</bdi>
      {last}
    </>
  );
}

/** What is before the value in a sentence. */
function before(sentence: string): string {
  return sentence.split('{')[0] ?? '';
}

function aheadOf({ ahead }: Words, count: number): string {
  return count === 0 ? ahead.none : count === 1 ? ahead.one : say(ahead.many, { count: String(count) });
}

function estimateOf(language: Language, { etaP50, etaP80 }: NonNullable<Visit['queue']>): string {
  if (etaP50 === null || etaP80 === null) return '';
  const values = { from: String(etaP50), to: String(etaP80) };
  const { estimate, estimateOne } = language.words;
  return sayFor(etaP80, etaP50 === etaP80 ? estimateOne : estimate, language, values);
}

function problemOf({ problem }: Words, code: string): string {
  return problem[code as keyof typeof problem] ?? problem.other;
}

function clock({ locale }: Language): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
}

/** In the list of tabs, the number says enough. */
function titleOf(hospital: string, turn: Visit['queue'] | undefined, words: Words): string {
  if (!turn) return hospital || words.title;
  if (turn.status === 'waiting') return `${turn.label}: ${turn.ahead ?? 0}`;
  return turn.status === 'called' ? `${turn.label}!` : turn.label;
}

/** Whoever is called feels it, where phones allow it. */
function useBuzz(isCalled: boolean): void {
  useEffect(() => {
    if (isCalled) navigator.vibrate?.([400, 200, 400]);
  }, [isCalled]);
}
