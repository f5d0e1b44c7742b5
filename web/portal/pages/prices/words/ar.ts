import type en from './en.ts';

const words: typeof en = {
  'price-items': {
    new: 'بند جديد',
    search: 'الاسم أو الرمز',
    empty: 'قائمة الأسعار فارغة.',
    name: 'الاسم',
    code: 'الرمز',
    itemGroup: 'المجموعة',
    taxBps: 'الضريبة',
    departmentId: 'القسم',
    itemGroupChoices: { consultation: 'الاستشارات', laboratory: 'المختبر', pharmacy: 'الصيدلية', other: 'أخرى' },
    confirm: 'حذف البند “{{name}}”؟',
  },
  prices: {
    new: 'سعر جديد',
    search: 'بحث',
    empty: 'لا توجد أسعار بعد.',
    itemId: 'البند',
    amount: 'السعر',
    payerGroup: 'فقط لمجموعة الدافعين',
    validFrom: 'اليوم الأول',
    validTo: 'اليوم الأخير',
    confirm: 'حذف السعر الساري من {{name}}؟',
  },
  error: {
    code: {
      PRICE_ITEM_CODE_TAKEN: 'لبند آخر هذا الرمز. اختر رمزًا آخر.',
      PRICE_ITEM_IN_USE: 'للبند أسعار أو هو في فواتير. أوقفه مؤقتًا بدلًا من حذفه.',
      PRICE_OVERLAP: 'سعر آخر لهذا البند سارٍ في بعض هذه الأيام. أنهِه أولًا.',
      PRICE_DAYS: 'لا يكون اليوم الأخير قبل الأول.',
    },
  },
};
export default words;
