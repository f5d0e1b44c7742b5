import { describe, expect, it } from '@jest/globals';
import { numbersIn, type OpenItem, proposalsFor, referenceOf } from './matching.ts';

const item = (n: number, balance = 5000, more: Partial<OpenItem> = {}): OpenItem => ({
  invoiceId: `i${n}`,
  invoiceNo: `INV-2026-${String(n).padStart(6, '0')}`,
  balance,
  payerName: 'Ada Byron Lovelace',
  ...more,
});
const part = (more: object) => ({
  ...{ amount: 5000, reference: null, endToEndId: null, text: '', partyName: null, partyAccount: null },
  ...more,
});
const short = (more: object, open: readonly OpenItem[]) =>
  proposalsFor(part(more), open).map(({ invoiceId, kind, reason }) => `${invoiceId} ${kind} ${reason}`);

describe('a payment', () => {
  it('is matched by its reference', () => {
    const reference = referenceOf('INV-2026-000042');
    expect(reference).toMatch(/^RF\d\dINV2026000042$/);
    expect(short({ reference }, [item(42), item(43)])).toEqual(['i42 automatic reference']);
    expect(short({ reference, amount: 4999 }, [item(42)])).toEqual(['i42 suggestion reference']);
    expect(short({ reference: 'RF00INV2026000042' }, [item(42)])).toEqual([]);
  });

  it.each(['INV-2026-000042', 'pays inv 2026 000042, thanks', 'Inv2026000042', 'INV–2026-\n000042'])(
    'is matched by the number in "%s"',
    (text) => {
      expect(short({ text }, [item(42), item(4)])).toEqual(['i42 automatic number']);
      expect(short({ text, amount: 5001 }, [item(42)])).toEqual(['i42 suggestion number']);
    },
  );

  it.each(['INV-2026-0000421', 'XINV-2026-000042', '2026-000042'])('is not matched by "%s"', (text) => {
    expect(short({ text }, [item(42)])).toEqual([]);
  });

  it('of several numbers is for a person to decide', () => {
    expect(short({ text: 'INV-2026-000042 INV-2026-000043' }, [item(42), item(43, 1)])).toEqual([
      'i42 suggestion number',
      'i43 suggestion number',
    ]);
  });

  it('is suggested by an amount that only one invoice has and a name', () => {
    const found = ['i1 suggestion amount_and_name'];
    expect(short({ partyName: 'LOVELACE, Àda' }, [item(1), item(2, 4999)])).toEqual(found);
    expect(short({ partyName: 'Lovelace Ada' }, [item(1), item(2, 5001)])).toEqual(found);
    expect(short({ partyName: 'Lovelace Ada' }, [item(1), item(2)])).toEqual([]);
    expect(short({ partyName: 'Grace Hopper' }, [item(1)])).toEqual([]);
    expect(short({ partyName: 'Lovelace' }, [item(1)])).toEqual([]);
  });

  it('that left the account is for no invoice', () => {
    expect(short({ amount: -5000, text: 'INV-2026-000042' }, [item(42)])).toEqual([]);
  });
});

it('makes the reference that ISO 11649 gives as an example', () => {
  expect(referenceOf('539007547034')).toBe('RF18539007547034');
  expect(referenceOf('X'.repeat(22))).toBeNull();
});

it('names the invoices that are worth looking up', () => {
  const numbers = ['INV-2026-000042', 'INV-2025-000007'];
  expect(numbersIn({ reference: 'RF32INV2026000042', text: 'and inv 2025 7' })).toEqual(numbers);
  expect(numbersIn({ reference: null, text: 'thanks' })).toEqual([]);
});
