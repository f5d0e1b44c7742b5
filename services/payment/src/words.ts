/** The words on invoices and receipts, by language. */
import type { Method } from '@hms/domain/payments';

interface Words {
  readonly invoice: string;
  readonly patient: string;
  readonly date: string;
  readonly dueOn: string;
  readonly taxNumber: string;
  /** Description, quantity, price, tax, amount. */
  readonly columns: readonly [string, string, string, string, string];
  readonly discount: string;
  /** What a VIP membership gives, by its tier, its number and its part, which are isolated. */
  benefit(tier: string, membershipNo: string, percent: string): string;
  readonly sum: string;
  readonly tax: string;
  readonly includedTax: string;
  readonly total: string;
  readonly issued: string;
  readonly receipt: string;
  readonly cashier: string;
  readonly paid: string;
  readonly rounding: string;
  readonly tendered: string;
  readonly change: string;
  readonly balance: string;
  readonly copy: string;
  readonly refund: string;
  readonly paidBack: string;
  readonly voidEntry: string;
  readonly deposit: string;
  readonly depositLeft: string;
  readonly creditNote: string;
  readonly credited: string;
  readonly reason: string;
  readonly insurer: string;
  readonly policy: string;
  readonly insurerPays: string;
  readonly patientPays: string;
  readonly verify: string;
  readonly methods: Readonly<Record<Method, string>>;
}

const ENGLISH: Words = {
  invoice: 'Invoice',
  patient: 'Patient',
  date: 'Date',
  dueOn: 'Due date',
  taxNumber: 'Tax number',
  columns: ['Description', 'Quantity', 'Price', 'Tax', 'Amount'],
  discount: 'Discount',
  benefit: (tier, membershipNo, percent) => `${tier} membership ${membershipNo}, ${percent}`,
  sum: 'Subtotal',
  tax: 'Tax',
  includedTax: 'Includes tax',
  total: 'Total',
  issued: 'Issued',
  receipt: 'Receipt',
  cashier: 'Received by',
  paid: 'Paid',
  rounding: 'Cash rounding',
  tendered: 'Cash received',
  change: 'Change',
  balance: 'Balance due',
  copy: 'COPY',
  refund: 'Refund',
  paidBack: 'Paid back',
  voidEntry: 'Void payment',
  deposit: 'Deposit',
  depositLeft: 'Left of the deposit',
  creditNote: 'Credit note',
  credited: 'Credited',
  reason: 'Reason',
  insurer: 'Insurer',
  policy: 'Policy',
  insurerPays: 'Insurer pays',
  patientPays: 'Patient pays',
  verify: 'Check that it is genuine:',
  methods: {
    CASH: 'Cash',
    CARD: 'Card',
    TRANSFER: 'Bank transfer',
    MOBILE: 'Mobile payment',
    INSURANCE: 'Insurance',
    ADVANCE: 'Advance',
  },
};

const WORDS: Readonly<Record<string, Words>> = {
  en: ENGLISH,
  ar: {
    invoice: 'فاتورة',
    patient: 'المريض',
    date: 'التاريخ',
    dueOn: 'تُدفع حتى',
    taxNumber: 'الرقم الضريبي',
    columns: ['الوصف', 'الكمية', 'السعر', 'الضريبة', 'المبلغ'],
    discount: 'خصم',
    benefit: (tier, membershipNo, percent) => `عضوية ${tier} رقم ${membershipNo}، ${percent}`,
    sum: 'المجموع',
    tax: 'الضريبة',
    includedTax: 'منها ضريبة',
    total: 'الإجمالي',
    issued: 'صدرت في',
    receipt: 'إيصال',
    cashier: 'استلمها',
    paid: 'المدفوع',
    rounding: 'تقريب النقد',
    tendered: 'المبلغ المسلَّم',
    change: 'الباقي',
    balance: 'المتبقي للدفع',
    copy: 'نسخة',
    refund: 'استرداد',
    paidBack: 'المبلغ المعاد',
    voidEntry: 'إلغاء دفعة',
    deposit: 'عربون',
    depositLeft: 'المتبقي من العربون',
    creditNote: 'إشعار دائن',
    credited: 'المبلغ الملغى',
    reason: 'السبب',
    insurer: 'شركة التأمين',
    policy: 'رقم الوثيقة',
    insurerPays: 'تدفع شركة التأمين',
    patientPays: 'يدفع المريض',
    verify: 'للتحقق من صحتها:',
    methods: {
      CASH: 'نقدًا',
      CARD: 'بطاقة',
      TRANSFER: 'تحويل مصرفي',
      MOBILE: 'دفع بالجوال',
      INSURANCE: 'تأمين',
      ADVANCE: 'دفعة مقدمة',
    },
  },
};

/** The words in a language, or in English. @param language BCP 47 tag */
export function words(language: string): Words {
  return WORDS[new Intl.Locale(language).language] ?? ENGLISH;
}
