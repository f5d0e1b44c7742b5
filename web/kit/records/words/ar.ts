import type en from './en.ts';

const words: typeof en = {
  records: {
    create: 'إنشاء',
    delete: 'حذف',
    deleteHow: 'لن يظهر في أي قائمة. ويبقى ما سُجّل به.',
    activate: 'استخدام من جديد',
    deactivate: 'إيقاف الاستخدام مؤقتًا',
    status: 'الحالة',
    statuses: { active: 'مستخدم', inactive: 'غير مستخدم' },
    yes: 'نعم',
    no: 'لا',
  },
  form: {
    problem: {
      pattern: 'اكتبه كما في المثال.',
      money: 'اكتب مبلغًا مثل 12.50.',
      choose: 'اختر واحدًا.',
      number: 'اكتب عددًا صحيحًا ضمن الحدود.',
      percent: 'اكتب عددًا من 0 إلى 100، مثل 12.5.',
      decimal: 'اكتب عددًا أكبر من الصفر، بثلاث منازل عشرية على الأكثر.',
      together: 'املأ هذا الحقل أيضًا، أو اترك الحقلين فارغين.',
    },
  },
};
export default words;
