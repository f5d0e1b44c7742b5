import type en from './en.ts';

const words: typeof en = {
  account: {
    name: 'الاسم',
    hospital: 'المستشفى',
    zone: 'المنطقة الزمنية',
    roles: 'الأدوار',
    password: 'تغيير كلمة المرور',
    passwordHow: 'تنتهي جلساتك على الأجهزة الأخرى، وتصلك رسالة عن التغيير.',
    currentPassword: 'كلمة المرور الحالية',
    repeated: 'كلمة المرور الجديدة مرة أخرى',
    change: 'تغيير كلمة المرور',
    changed: 'تم تغيير كلمة المرور.',
  },
  error: {
    code: { WRONG_PASSWORD: 'كلمة المرور الحالية غير صحيحة.' },
  },
};
export default words;
