import type en from './en.ts';

const words: typeof en = {
  csvFile: {
    choose: 'اختيار ملف',
    empty: 'ملف فارغ بالأعمدة',
    problems: 'الأخطاء في الملف',
    line: 'السطر',
    column: 'العمود',
    wholeRow: 'السطر كله',
    value: 'في الملف',
    remark: 'ملاحظة',
  },
};
export default words;
