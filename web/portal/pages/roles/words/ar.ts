import type en from './en.ts';

const words: typeof en = {
  roles: {
    how: 'ما يُسمح به لكل دور في هذا المستشفى.',
    role: 'الدور',
    permissions: 'الصلاحيات',
    withheld: 'المحجوبة',
    may: 'ما يُسمح به لدور {{role}}',
    templateHow: 'تحدد المنصة ما يمكن أن يملكه الدور، ويمكن لمستشفاك أن يحجب بعضه.',
    ownerHow: 'لا يُحجب شيء عن المالك، لأن عليه أن يستطيع إعادته.',
    save: 'حفظ',
    saved: 'تم الحفظ. يسري خلال ثوانٍ دون تسجيل دخول جديد.',
  },
};
export default words;
