export { type Amount, AmountError, cashRounding, includedTax, portion, spread, sum, times } from './amounts.ts';
export { digitsOf } from './currencies.ts';
export {
  type Discount,
  type Invoice,
  type InvoiceLine,
  invoiceOf,
  type LineInput,
  type TaxSum,
  type Terms,
} from './invoice.ts';
export { showAmount, typedAmount, writeAmount } from './text.ts';
