/** What a paired display shows: its clinics, and one day their queues. */
import type { Language } from './language.ts';
import type { ShownDisplay } from './server.ts';

interface Props {
  readonly display: ShownDisplay;
  readonly language: Language;
}

export function Board({ display: { clinics }, language: { words } }: Props) {
  return (
    <main className="board">
      <h1 className="hidden">{words.clinics}</h1>
      <ul>
        {clinics.map(({ id, name }) => (
          <li key={id}>
            <h2>
              <bdi>{name}</bdi>
            </h2>
            <p>{words.noQueue}</p>
          </li>
        ))}
      </ul>
    </main>
  );
}
