/** The code of a display that nobody has paired yet. */
import { type Language, say } from './language.ts';
import type { Pairing } from './server.ts';

interface Props {
  readonly pairing: Pairing;
  /** When the code changes, as a time of day. */
  readonly until: string;
  readonly language: Language;
}

export function PairingPage({ pairing, until, language: { words } }: Props) {
  return (
    <main className="pairing">
      <div>
        <h1>{words.pairTitle}</h1>
        <p>{words.pairHow}</p>
        <p className="address">
          <bdi dir="ltr">{pairing.verificationUri.replace(/^https?:\/\//, '')}</bdi>
        </p>
        <p>
          <span className="label">{words.code}</span>
          <strong className="code" dir="ltr">
            {pairing.userCode}
          </strong>
        </p>
        <p className="small">{say(words.codeUntil, { time: until })}</p>
      </div>
      <img className="qr" src={`data:image/svg+xml,${encodeURIComponent(pairing.qr)}`} alt={words.qr} />
    </main>
  );
}
