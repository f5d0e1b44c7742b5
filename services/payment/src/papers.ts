/** What is printed on invoices and receipts, in the language of the hospital. Pure. */
import { barcode, type InvoiceSheet, qrCode, type ReceiptSlip } from '@hms/documents';
import type { ShownInvoice } from '@hms/domain/invoices';
import type { ShownPayment } from '@hms/domain/payments';
import type { CreditNote } from '@hms/domain/refunds';
import { contactOf, fact, isolated, leftToRight } from '@hms/domain/rendering';
import { showAmount } from '@hms/money';
import type { Work } from '@hms/service';
import { localeOf } from '@hms/tenancy';
import { words } from './words.ts';

type Hospital = Pick<Work['hospital'], 'settings' | 'timezone' | 'portal'>;

export function invoiceSheet(invoice: ShownInvoice, hospital: Hospital): InvoiceSheet {
  const { settings, portal } = hospital;
  const word = words(settings.language);
  const { day, moment, percent, whole } = formats(hospital);
  const money = (amount: number) => leftToRight(showAmount(amount, invoice.currency, settings.language));
  const { issuedAt, dueOn, invoiceNo } = invoice;
  const number = invoiceNo ?? '';
  const verify = `${portal}/verify`;
  return {
    invoiceNo: number,
    name: invoice.payerName,
    title: word.invoice,
    seller: sellerOf(settings, word),
    facts: [
      [word.patient, `${invoice.patientName} (${leftToRight(invoice.patientCode)})`],
      ...fact(word.date, issuedAt && day.format(new Date(issuedAt))),
      ...fact(word.dueOn, dueOn && dayOnly(localeOf(settings)).format(new Date(dueOn))),
      ...fact(word.insurer, invoice.insurer),
      ...fact(word.policy, invoice.policyNo && leftToRight(invoice.policyNo)),
    ],
    columns: word.columns,
    rows: invoice.lines.map((line) => ({
      description: line.description,
      notes: reductionsOf(line, word, percent).map(([name, amount]) => `${name}: ${money(-amount)}`),
      cells: [whole(line.quantity), money(line.unitPrice), percent(line.taxBps), money(beforeInvoiceDiscount(line))],
    })),
    sums: sumsOf(invoice, word, percent, money),
    notes: invoice.notes ?? '',
    issued: issuedAt === null ? '' : `${word.issued} ${moment.format(new Date(issuedAt))}`,
    ...{ verify: [word.verify, leftToRight(verify)], barcode: barcode(number), qrCode: qrCode(verify) },
  };
}

/** What reduces a line, with its name: its own discount, and what a membership gives. */
function reductionsOf(
  { lineDiscount, benefit, benefitBps, tierName, membershipNo }: ShownInvoice['lines'][number],
  word: ReturnType<typeof words>,
  percent: (bps: number) => string,
): readonly (readonly [string, number])[] {
  const given = word.benefit(isolated(tierName ?? ''), leftToRight(membershipNo ?? ''), isolated(percent(benefitBps)));
  return (
    [
      [word.discount, lineDiscount],
      [given, benefit],
    ] as const
  ).filter(([, amount]) => amount > 0);
}

/** What a line costs, without its part of the discount of the invoice. The column of these amounts has the sum below. */
function beforeInvoiceDiscount({ gross, lineDiscount, benefit }: ShownInvoice['lines'][number]): number {
  return gross - lineDiscount - benefit;
}

/** What leads from the lines to the total. Tax that prices contain comes after the total, since it adds nothing. */
function sumsOf(
  { lines, taxes, total, insured, pricesIncludeTax }: ShownInvoice,
  word: ReturnType<typeof words>,
  percent: (bps: number) => string,
  money: (amount: number) => string,
): InvoiceSheet['sums'] {
  const sum = lines.reduce((all, line) => all + beforeInvoiceDiscount(line), 0);
  const discount = lines.reduce((all, line) => all + line.invoiceDiscount, 0);
  const row = (label: string, amount: number, strong = false) => ({ label, value: money(amount), strong });
  const taxRows = taxes
    .filter(({ bps }) => bps > 0)
    .map(({ bps, base, tax }) =>
      row(`${pricesIncludeTax ? word.includedTax : word.tax} ${percent(bps)} (${money(base)})`, tax),
    );
  const added = pricesIncludeTax ? [] : taxRows;
  return [
    ...(discount > 0 || added.length > 0 ? [row(word.sum, sum)] : []),
    ...(discount > 0 ? [row(word.discount, -discount)] : []),
    ...added,
    row(word.total, total, true),
    ...(pricesIncludeTax ? taxRows : []),
    ...(insured > 0 ? [row(word.insurerPays, insured), row(word.patientPays, total - insured, true)] : []),
  ];
}

/** A credit note. It names its invoice, and has the rates of its lines. */
export function creditNoteSheet(note: CreditNote, hospital: Hospital): InvoiceSheet {
  const { settings, portal } = hospital;
  const word = words(settings.language);
  const { day, moment, percent } = formats(hospital);
  const money = (amount: number) => leftToRight(showAmount(amount, note.currency, settings.language));
  const issuedAt = new Date(note.issuedAt);
  const verify = `${portal}/verify`;
  const rates = [...Map.groupBy(note.lines, ({ taxBps }) => taxBps)].sort(([a], [b]) => a - b);
  const sumOf = (lines: CreditNote['lines'], key: 'net' | 'tax') => lines.reduce((sum, line) => sum + line[key], 0);
  const [description, , , tax, amount] = word.columns;
  return {
    invoiceNo: note.creditNo,
    name: note.payerName,
    title: word.creditNote,
    seller: sellerOf(settings, word),
    facts: [
      [word.patient, `${note.patientName} (${leftToRight(note.patientCode)})`],
      [word.invoice, leftToRight(note.invoiceNo)],
      [word.date, day.format(issuedAt)],
      [word.reason, note.reason],
    ],
    columns: [description, tax, amount],
    rows: note.lines.map((line) => ({
      description: line.description,
      notes: [],
      cells: [percent(line.taxBps), money(line.amount)],
    })),
    sums: [
      ...rates
        .filter(([bps]) => bps > 0)
        .map(([bps, lines]) => ({
          label: `${word.includedTax} ${percent(bps)} (${money(sumOf(lines, 'net'))})`,
          value: money(sumOf(lines, 'tax')),
          strong: false,
        })),
      { label: word.credited, value: money(note.amount), strong: true },
    ],
    notes: '',
    issued: `${word.issued} ${moment.format(issuedAt)}`,
    ...{ verify: [word.verify, leftToRight(verify)], barcode: barcode(note.creditNo), qrCode: qrCode(verify) },
  };
}

/** @param invoice undefined: the receipt is about a deposit. @param copy which copy of the receipt it is, with when and by whom. Undefined: the original. */
export function receiptSlip(
  payment: ShownPayment,
  { invoice, depositNo, patientName }: ReceiptOf,
  hospital: Hospital,
  copy?: { readonly number: number; readonly at: string; readonly by: string },
): ReceiptSlip {
  const { settings, portal } = hospital;
  const word = words(settings.language);
  const { moment, whole } = formats(hospital);
  const money = (amount: number) => leftToRight(showAmount(amount, payment.currency, settings.language));
  const row = (label: string, value: number, strong = false) => ({ label, value: money(value), strong });
  const verify = `${portal}/verify`;
  const isDeposit = payment.depositId !== null;
  const title = { payment: isDeposit ? word.deposit : word.receipt, refund: word.refund, void: word.voidEntry };
  return {
    receiptNo: payment.receiptNo,
    title: title[payment.kind],
    copy: copy
      ? [`${word.copy} ${whole(copy.number)}`, moment.format(new Date(copy.at)), copy.by].filter(Boolean).join(' · ')
      : '',
    seller: [...contactOf(settings), ...sellerOf(settings, word)],
    facts: [
      [word.receipt, leftToRight(payment.receiptNo)],
      ...fact(word.invoice, invoice?.invoiceNo && leftToRight(invoice.invoiceNo)),
      ...fact(word.deposit, depositNo && leftToRight(depositNo)),
      [word.patient, patientName],
      [word.date, moment.format(new Date(payment.paidAt))],
      ...fact(word.cashier, payment.receivedByName),
      ...fact(word.reason, payment.reason),
    ],
    sums: [
      ...(invoice ? [row(word.total, invoice.total)] : []),
      ...(invoice && invoice.credited > 0 ? [row(word.credited, -invoice.credited)] : []),
      row(payment.kind === 'payment' ? word.paid : word.paidBack, payment.amount, true),
      ...payment.parts.flatMap((part) => [
        row(
          part.reference ? `${word.methods[part.method]} ${leftToRight(part.reference)}` : word.methods[part.method],
          part.amount,
        ),
        ...(part.rounding === 0 ? [] : [row(word.rounding, part.rounding)]),
        ...(part.tendered === null || part.change === 0 ? [] : [row(word.tendered, part.tendered)]),
        ...(part.change ? [row(word.change, part.change)] : []),
      ]),
      row(isDeposit ? word.depositLeft : word.balance, payment.balanceAfter),
    ],
    verify: [word.verify, leftToRight(verify)],
    qrCode: qrCode(verify),
  };
}

interface ReceiptOf {
  readonly invoice: ShownInvoice | undefined;
  readonly depositNo: string | undefined;
  readonly patientName: string;
}

function sellerOf({ taxNumber }: Hospital['settings'], word: ReturnType<typeof words>): readonly string[] {
  return taxNumber ? [`${word.taxNumber} ${leftToRight(taxNumber)}`] : [];
}

function formats({ settings, timezone: timeZone }: Hospital) {
  const { language } = settings;
  const locale = localeOf(settings);
  const count = new Intl.NumberFormat(language);
  const rate = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 });
  return {
    day: new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone }),
    moment: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone }),
    percent: (bps: number) => rate.format(bps / 10_000),
    whole: (number: number) => count.format(number),
  };
}

/** For calendar days, which no time zone shifts. */
function dayOnly(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
}
