/** What is known of a record, to be read: each value with its label. */
import type { ReactNode } from 'react';

export interface Fact {
  readonly label: string;
  /** Null, false or an empty text: nobody has said. */
  readonly value: ReactNode;
}

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className="hms-record">
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value === null || value === undefined || value === '' || value === false ? '–' : value}</dd>
        </div>
      ))}
    </dl>
  );
}
