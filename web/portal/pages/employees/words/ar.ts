import type en from './en.ts';

const words: typeof en = {
  employees: {
    new: 'موظف جديد',
    create: 'إنشاء ودعوة',
    search: 'الاسم أو الرقم أو البريد الإلكتروني',
    empty: 'لا يوجد موظفون بعد.',
    details: 'التفاصيل',
    name: 'الاسم',
    firstName: 'الاسم الأول',
    lastName: 'اسم العائلة',
    code: 'الرقم',
    email: 'البريد الإلكتروني',
    emailHow: 'تصل إليه الدعوة والرموز',
    phone: 'الهاتف',
    jobTitle: 'المسمى الوظيفي',
    department: 'القسم',
    licenseNo: 'رقم الترخيص',
    role: 'الدور',
    roles: 'الأدوار',
    ownRoles: 'يجب أن يغيّر شخص آخر أدوارك.',
    status: 'الحالة',
    statuses: { invited: 'مدعو', active: 'نشط', suspended: 'موقوف', terminated: 'غادر' },
    settingUp: 'يجري إعداد الحساب…',
    step: {
      suspend: 'إيقاف',
      activate: 'تنشيط',
      terminate: 'إنهاء العمل',
      'resend-invite': 'إرسال الدعوة مرة أخرى',
    },
    confirm: {
      suspend: 'إيقاف {{name}}؟ ستُنهى كل جلساته، ولا يمكنه تسجيل الدخول حتى يُنشَّط.',
      terminate: 'إنهاء عمل {{name}} نهائيًا؟ ستُنهى كل جلساته.',
    },
    done: {
      suspend: 'أُوقف {{name}}.',
      activate: 'يمكن لـ {{name}} تسجيل الدخول من جديد.',
      terminate: 'انتهى العمل.',
      'resend-invite': 'دعوة أخرى في الطريق.',
    },
  },
  form: {
    problem: { role: 'اختر دورًا واحدًا على الأقل.' },
  },
  error: {
    code: {
      EMPLOYEE_EMAIL_TAKEN: 'هذا البريد الإلكتروني لموظف آخر. يحتاج كل شخص إلى بريد خاص به.',
      LAST_OWNER: 'يحتاج المستشفى إلى مالك نشط. امنح شخصًا آخر هذا الدور أولًا، وانتظر حتى يقبل.',
      OWNER_REQUIRED: 'لا يعيّن المالك أو يغيّره أو يزيله إلا مالك.',
      OWN_EMPLOYMENT: 'يجب أن يغيّر شخص آخر أدوارك أو يوقفك.',
      EMPLOYEE_TERMINATED: 'انتهى هذا العمل. أنشئ موظفًا جديدًا بدلًا من ذلك.',
    },
  },
};
export default words;
