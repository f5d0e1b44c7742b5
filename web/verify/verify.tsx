/** Whether a document is genuine: for anybody who has its file. The file itself stays in the browser. */
import type { Schemas } from '@hms/api-client';
import { type ChangeEvent, useState } from 'react';
import { type Language as LanguageWith, languages, say } from '../kit/plain/language.ts';
import { useLook } from '../kit/plain/look.ts';
import { dataIn, Refusal } from '../kit/plain/refusal.ts';
import { start } from '../kit/start.ts';
import { words as ar } from './words/ar.ts';
import { words as en, type Words } from './words/en.ts';

const languageOf = languages<Words>(en, ar);

type Outcome =
  | { readonly kind: 'genuine'; readonly name: string; readonly issued: Schemas['IssuedDocument'] }
  | { readonly kind: 'unknown' | 'trouble' | 'checking'; readonly name: string };

export function VerifyPage() {
  const language = languageOf(navigator.language);
  const { words } = language;
  const [outcome, setOutcome] = useState<Outcome>();
  useLook(language, start.primaryColor, words.title);
  const check = async ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    if (!file) return;
    const { name } = file;
    setOutcome({ kind: 'checking', name });
    setOutcome(await outcomeOf(file));
    // The same file can be chosen again.
    currentTarget.value = '';
  };
  return (
    <>
      <header>
        <bdi>{start.name ?? words.title}</bdi>
      </header>
      <main>
        <section>
          <h1>{words.title}</h1>
          <p>{words.how}</p>
          <p className="small">{words.private}</p>
          <label className="file">
            <span>{words.choose}</span>
            <input type="file" accept="application/pdf" onChange={(event) => void check(event)} />
          </label>
        </section>
        <div role="status" aria-live="polite">
          {outcome && <Answer outcome={outcome} language={language} />}
        </div>
      </main>
    </>
  );
}

interface AnswerProps {
  readonly outcome: Outcome;
  readonly language: LanguageWith<Words>;
}

function Answer({ outcome, language: { words, locale } }: AnswerProps) {
  const { kind, name } = outcome;
  if (kind === 'checking') return <p>{words.checking}</p>;
  return (
    <section className={kind === 'genuine' ? 'called' : ''}>
      <p className="big">{words[kind]}</p>
      {outcome.kind === 'genuine' && (
        <p>
          {say(words.issuedBy, {
            hospital: outcome.issued.hospital,
            when: new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }).format(
              new Date(outcome.issued.issuedAt),
            ),
          })}
        </p>
      )}
      {kind === 'unknown' && <p>{words.unknownHow}</p>}
      <p className="small">
        <bdi>{name}</bdi>
      </p>
    </section>
  );
}

async function outcomeOf(file: File): Promise<Outcome> {
  const { name } = file;
  try {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
    const sha256 = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
    const issued = await dataIn<Schemas['IssuedDocument']>(await fetch(`/api/auth/verify/${sha256}`));
    return { kind: 'genuine', name, issued };
  } catch (error) {
    return { kind: error instanceof Refusal && error.status === 404 ? 'unknown' : 'trouble', name };
  }
}
