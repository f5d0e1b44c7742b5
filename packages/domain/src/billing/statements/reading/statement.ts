/** What is read from a bank's file, whichever format it has. */

/** Amounts: integers in the smallest unit of the statement's currency. Below zero is money that left the account. */
export interface Statement {
  /** IBAN or another number, '' if the file does not say. */
  readonly account: string;
  readonly statementId: string | null;
  /** Code by ISO 4217. */
  readonly currency: string;
  /** YYYY-MM-DD. */
  readonly fromDay: string | null;
  readonly toDay: string | null;
  /** Booked balances. Null: the file has none. */
  readonly opening: number | null;
  readonly closing: number | null;
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly bookedOn: string;
  readonly valueOn: string | null;
  readonly amount: number;
  /** Only what is booked moves the balance. */
  readonly status: 'booked' | 'pending' | 'info';
  readonly isReversal: boolean;
  readonly isBatch: boolean;
  readonly bankReference: string | null;
  /** At least one. Their amounts add up to the entry's. */
  readonly parts: readonly Part[];
}

export interface Part {
  readonly amount: number;
  /** Structured reference of the creditor. */
  readonly reference: string | null;
  readonly endToEndId: string | null;
  readonly text: string;
  readonly partyName: string | null;
  readonly partyAccount: string | null;
}

/** A file that can't be read. Its message is a sentence for a user, and says what to do. */
export class StatementError extends Error {
  override readonly name = 'StatementError';
}
