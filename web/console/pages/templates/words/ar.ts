import type en from './en.ts';

const words: typeof en = {
  templates: {
    how: 'قالب الدور دور موجود في كل مستشفى، ويمكن للمستشفى أن يحجب بعض صلاحياته.',
    new: 'قالب دور جديد',
    create: 'إنشاء',
    name: 'الاسم',
    nameHow: 'أحرف لاتينية كبيرة وأرقام وشرطات سفلية. لا يمكن تغييره لاحقًا.',
    description: 'ما يفعله أصحاب هذا الدور',
    permissions: 'الصلاحيات',
    permissionsHow: 'يسري التغيير خلال ثوانٍ في كل المستشفيات، وعلى من سجّلوا الدخول أيضًا.',
    of: 'لمن',
    appliesTo: { hospital: 'المستشفيات', platform: 'المنصة' },
    kind: 'النوع',
    system: 'من المنصة، ثابت',
    status: { active: 'من إنشائكم', retired: 'متقاعد' },
    systemHow: 'هذا الدور موجود في كل منصة، ولا يمكن لأحد تغييره.',
    retire: 'إيقاف القالب',
    restore: 'استعادة',
    confirmRetire: 'إيقاف الدور {{name}}؟ يفقد كل من يحمله صلاحياته خلال ثوانٍ.',
    retired: 'لم يعد الدور يمنح أي صلاحية.',
    restored: 'من احتفظوا بالدور استعادوا صلاحياته.',
  },
  form: {
    problem: { roleName: 'اكتب أحرفًا لاتينية كبيرة وأرقامًا وشرطات سفلية، مثل WARD_CLERK.' },
  },
};
export default words;
