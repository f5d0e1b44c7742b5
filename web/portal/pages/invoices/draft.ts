/** Changes of the draft of an invoice, one after the other, so that fast typing loses none of them. */
import { useRef, useState } from 'react';
import { api, dataOf, type Schemas } from '../../../kit/api/api.ts';
import type { Money } from '../../../kit/money/money.tsx';
import type { Invoice } from './invoices.queries.ts';

export type Line = Invoice['lines'][number];
type Changes = Omit<Schemas['InvoiceChanges'], 'version'>;
export type NewLine = NonNullable<Changes['lines']>[number];

export interface Draft {
  /** Changes the draft. @param changesOf from the draft as it is when the changes before are saved. */
  change(changesOf: (now: Invoice) => Changes): void;
  /** Issues it, with all changes before. If one of those is refused, it stays a draft. */
  issue(): void;
  readonly error: unknown;
}

/** @param onSaved gets the invoice after each step, with the sums of the module. */
export function useDraft(invoice: Invoice, onSaved: (saved: Invoice) => void): Draft {
  const [error, setError] = useState<unknown>();
  const latest = useRef(invoice);
  // Somebody else may have changed it.
  if (invoice.version > latest.current.version) latest.current = invoice;
  const queue = useRef<Promise<void>>(Promise.resolve());
  const refused = useRef(0);
  const add = (step: (now: Invoice) => Promise<Invoice>) => {
    const before = refused.current;
    queue.current = queue.current.then(async () => {
      // A step before this one was refused: whoever asked for this one has not seen that yet.
      if (refused.current !== before) return;
      try {
        latest.current = await step(latest.current);
        onSaved(latest.current);
        setError(undefined);
      } catch (problem) {
        refused.current += 1;
        setError(problem);
      }
    });
  };
  return {
    error,
    change: (changesOf) =>
      add((now) => {
        const body = { ...changesOf(now), version: now.version };
        return dataOf(api.PUT('/api/payment/invoices/{id}', { params: { path: { id: now.id } }, body }));
      }),
    issue: () =>
      add(async (now) => {
        const { id, version } = now;
        // Somebody pressed twice.
        if (now.status !== 'draft') return now;
        return dataOf(api.POST('/api/payment/invoices/{id}/issue', { params: { path: { id } }, body: { version } }));
      }),
  };
}

/** A line that stays as it is. */
export function sameLine(line: Line): NewLine {
  const { chargeId, itemId, description, unitPrice, quantity, taxBps, itemGroup, coverageBps } = line;
  const discount = discountOf(line);
  const reduced = { coverageBps, ...(discount ? { discount } : {}) };
  if (chargeId !== null) return { chargeId, quantity, ...reduced };
  const own = { description, unitPrice, quantity, taxBps, itemGroup, ...reduced };
  return itemId === null ? own : { itemId, ...own };
}

interface Discounted {
  readonly discountAmount: number | null;
  readonly discountBps: number | null;
}

type Discount = NonNullable<NewLine['discount']>;

function discountOf({ discountAmount, discountBps }: Discounted): Discount | undefined {
  if (discountAmount !== null) return { amount: discountAmount };
  return discountBps === null ? undefined : { bps: discountBps };
}

/** As somebody writes it: `5.00` or `10 %`. */
export function discountText({ discountAmount, discountBps }: Discounted, money: Money): string {
  if (discountAmount !== null) return money.write(discountAmount);
  return discountBps === null ? '' : percentText(discountBps);
}

/** @returns undefined if it is neither an amount nor a part. An empty text is no discount. */
export function discountIn(text: string, money: Money): { readonly discount: Discount | undefined } | undefined {
  if (text === '') return { discount: undefined };
  const bps = /[%٪]$/.test(text) ? percentIn(text) : undefined;
  if (bps !== undefined) return { discount: { bps } };
  const amount = money.read(text);
  return amount === undefined || amount < 0 ? undefined : { discount: { amount } };
}

export function percentText(bps: number): string {
  return `${bps / 100} %`;
}

/** @returns basis points, or undefined if it is no part from 0 % to 100 %. The sign may be left out. */
export function percentIn(text: string): number | undefined {
  const [, percent] = /^(\d{1,3}(?:[.,]\d{1,2})?)\s*[%٪]?$/.exec(text) ?? [];
  const bps = percent === undefined ? Number.NaN : Math.round(Number(percent.replace(',', '.')) * 100);
  return bps <= 10_000 ? bps : undefined;
}
