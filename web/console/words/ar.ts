import { kitWords } from '../../kit/words/ar.ts';

const consoleWords = {
  templates: {
    title: 'قوالب الأدوار',
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
  events: {
    title: 'سجل التدقيق',
    empty: 'لا توجد أحداث.',
    when: 'متى (UTC)',
    who: 'من',
    what: 'الإجراء',
    record: 'السجل',
    details: 'التفاصيل',
    search: 'البريد الإلكتروني',
    action: {
      create: 'إنشاء',
      update: 'تغيير',
      delete: 'حذف',
      transition: 'حالة جديدة',
      login: 'تسجيل دخول',
      'login.failed': 'رُفض تسجيل الدخول',
      logout: 'تسجيل خروج',
    },
    table: { role_templates: 'قالب دور' },
  },
};

export default { ...kitWords, ...consoleWords };
