import type en from './en.ts';

const words: typeof en = {
  import: {
    title: 'استيراد المرضى',
    back: 'كل المرضى',
    how: 'اختر ملف CSV. يُفحص الملف أولًا، ولا يُسجَّل أحد قبل أن تبدأ الاستيراد. تُترك الصفوف الخاطئة: صحّحها في الملف ثم استورده مرة أخرى. المرضى المسجّلون من قبل لا يُسجَّلون مرتين.',
    choose: 'اختيار ملف',
    template: 'ملف فارغ بكل الأعمدة',
    status: {
      checked: 'يمكن استيراد {{right}} من {{total}} من الصفوف. الصفوف الخاطئة: {{wrong}}.',
      running: 'سُجّل {{imported}} من {{right}} من المرضى. يمكنك مغادرة هذه الصفحة.',
      completed: 'عدد المرضى المسجّلين: {{imported}}. الصفوف المتروكة: {{wrong}} من {{total}}.',
    },
    progress: 'المرضى المسجّلون',
    start: 'تسجيل المرضى: {{count}}',
    problems: 'الصفوف الخاطئة',
    line: 'السطر',
    column: 'العمود',
    wholeRow: 'الصف كله',
    value: 'في الملف',
    problem: 'الخطأ',
  },
};
export default words;
