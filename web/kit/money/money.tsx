/** Amounts of money, in the currency of the hospital and as its country writes them. */
import { cashRounding, showAmount, typedAmount, writeAmount } from '@hms/money';
import { locale } from '../i18n/i18n.ts';
import { usePerson } from '../session/use-session.ts';

export interface Money {
  /** With the currency. @param amount in the smallest unit */
  show(amount: number): string;
  /** Without the currency, for a field. */
  write(amount: number): string;
  /** What was typed. Undefined: no amount. */
  read(text: string): number | undefined;
  /** What settles an amount in cash, since there are no smaller coins. */
  inCash(amount: number): number;
}

export function useMoney(): Money {
  const { currency = 'USD', cashRounding: coin = 1 } = usePerson().hospital ?? {};
  return {
    show: (amount) => showAmount(amount, currency, locale()),
    write: (amount) => writeAmount(amount, currency, locale()),
    read: (text) => typedAmount(text, currency, locale()),
    inCash: (amount) => amount + cashRounding(amount, coin),
  };
}

/** An amount, to be read. */
export function Amount({ of }: { readonly of: number }) {
  return (
    <bdi dir="ltr" className="hms-number">
      {useMoney().show(of)}
    </bdi>
  );
}
