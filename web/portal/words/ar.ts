import { kitWords } from '../../kit/words/ar.ts';
import type { PortalWords } from './en.ts';

const portalWords: PortalWords = {
  menu: {
    search: 'بحث',
    frontDesk: 'الاستقبال',
    care: 'الرعاية',
    settings: 'الإعدادات',
    security: 'الأمان',
    patients: 'المرضى',
    laboratory: 'طلبات المختبر',
    'lab-tests': 'فحوص المختبر',
    'lab-panels': 'مجموعات الفحوص',
    employees: 'الموظفون',
    departments: 'الأقسام',
    clinics: 'العيادات',
    rooms: 'الغرف',
    schedules: 'ساعات العمل',
    vip: 'كبار الضيوف',
    'vip-tiers': 'فئات كبار الضيوف',
    appointments: 'المواعيد',
    'waiting-list': 'قائمة الانتظار',
    queue: 'الانتظار',
    visitors: 'الزوار',
    'visitor-bans': 'قائمة المنع',
    prescriptions: 'الوصفات',
    stock: 'المخزون',
    drugs: 'الأدوية',
    interactions: 'التداخلات',
    displays: 'الشاشات',
    roles: 'الأدوار',
    supportAccess: 'وصول الدعم',
    audit: 'سجل التدقيق',
  },
  acting: {
    label: 'أنت تعمل باسم شخص آخر',
    actsAs: 'يعمل باسم',
    read: 'للقراءة فقط.',
    write: 'للقراءة والكتابة.',
    reason: 'السبب:',
    left: 'بقي {{time}}',
    over: 'انتهى العمل باسم شخص آخر',
    overHow: 'يمكنك إغلاق هذه الصفحة. للعمل باسم شخص مرة أخرى، ابدأ من وحدة الإدارة.',
    toLogin: 'إلى صفحة تسجيل الدخول',
  },
};

export default { ...kitWords, ...portalWords };
