import type en from './en.ts';

const words: typeof en = {
  events: {
    empty: 'لا توجد أحداث.',
    when: 'متى (UTC)',
    who: 'من',
    what: 'الإجراء',
    record: 'السجل',
    details: 'التفاصيل',
    search: 'الاسم أو البريد الإلكتروني',
    action: {
      create: 'إنشاء',
      update: 'تغيير',
      delete: 'حذف',
      transition: 'حالة جديدة',
      login: 'تسجيل دخول',
      'login.failed': 'رُفض تسجيل الدخول',
      logout: 'تسجيل خروج',
    },
    table: { role_templates: 'قالب دور', accounts: 'حساب', hospitals: 'مستشفى', migrations: 'الترحيلات' },
  },
};
export default words;
