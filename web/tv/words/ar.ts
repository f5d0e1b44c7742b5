import type { Words } from './en.ts';

export const words: Words = {
  starting: 'لحظة واحدة…',
  pairTitle: 'ربط هذه الشاشة',
  pairHow: 'يفتح مسؤول في المستشفى هذا العنوان ويُدخل الرمز، أو يمسح الصورة بالهاتف:',
  code: 'الرمز',
  qr: 'صورة فيها العنوان والرمز',
  codeUntil: 'يتغير الرمز عند {time}.',
  pairedAs: 'هذه الشاشة',
  clinics: 'العيادات',
  next: 'التالي',
  nobody: 'لا أحد ينتظر.',
  waiting: 'في الانتظار: {count}',
  minutes: 'نحو {from} دقيقة',
  minutesTo: 'من {from} إلى {to} دقيقة',
  call: 'الرقم {token}',
  callTo: 'الرقم {token}، إلى {room}',
  soundOff: 'الصوت متوقف. اضغط هنا لتشغيله.',
  connected: 'متصلة',
  lostSince: 'لا اتصال منذ {time}. تستمر هذه الصفحة من تلقاء نفسها.',
  problem: {
    HOSPITAL_UNKNOWN: 'لا يوجد مستشفى على هذا العنوان. تحقق من كتابته.',
    HOSPITAL_SUSPENDED: 'هذا المستشفى موقوف. تستمر الشاشة من تلقاء نفسها بعد ذلك.',
    HOSPITAL_NOT_READY: 'هذا المستشفى قيد الإعداد. تستمر الشاشة من تلقاء نفسها بعد ذلك.',
    TOO_MANY_DISPLAY_CODES: 'طلبت شاشات كثيرة رمزاً. ستطلب هذه الشاشة من جديد من تلقاء نفسها.',
    other: 'لدى الخادم مشكلة حالياً. تستمر الشاشة من تلقاء نفسها.',
  },
};
