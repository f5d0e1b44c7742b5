import type en from './en.ts';

const words: typeof en = {
  drugs: {
    new: 'دواء جديد',
    search: 'ابحث بالاسم أو الرمز أو المادة الفعالة',
    empty: 'لا توجد أدوية بعد.',
    name: 'الاسم',
    code: 'الرمز',
    ingredients: 'المواد الفعالة',
    allergyGroups: 'مجموعات الحساسية',
    strength: 'التركيز',
    form: 'الشكل الصيدلاني',
    unit: 'أصغر وحدة',
    maxDailyDose: 'أقصى عدد وحدات في اليوم',
    mgPerUnit: 'عدد الملليغرامات في الوحدة',
    mgPerUnitHelp: 'للجرعة حسب الوزن فقط. في شراب تركيزه 250 ملغ/5 مل، يحتوي كل 1 مل على 50.',
    maxDailyMgPerKg: 'أقصى عدد ملليغرامات في اليوم لكل كيلوغرام',
    maxDailyMgPerKgHelp:
      'مع عدد الملليغرامات في الوحدة فقط. مع القيمة 60 يأخذ طفل وزنه 10 كغ ما لا يزيد على 600 ملغ في اليوم.',
    reorderLevel: 'حد إعادة الطلب بالوحدات',
    price: 'سعر الوحدة',
    taxBps: 'الضريبة',
    isControlled: 'يفرض القانون سجلات خاصة',
    confirm: 'حذف الدواء «{{name}}»؟',
  },
  error: {
    code: {
      DRUG_CODE_TAKEN: 'لدواء آخر هذا الرمز.',
      DRUG_IN_USE: 'للدواء مخزون أو وصفات. أوقف استخدامه مؤقتًا بدل حذفه.',
    },
  },
};
export default words;
