import type en from './en.ts';

const words: typeof en = {
  acting: {
    how: 'ترى البوابة كما يراها هذا الشخص. يتلقى مالكو المستشفى رسالة باسمك وبالسبب، ويعرض سجل التدقيق كليكما.',
    hospital: 'المستشفى',
    hospitalHow: 'اسمه، أو الاسم في عنوانه، مثل st-mary',
    person: 'الشخص',
    personHow: 'اسم أو بريد إلكتروني أو رمز موظف',
    another: '{{label}}: اختر غيره',
    reasonHow: '10 أحرف على الأقل. يقرؤه المالكون.',
    mode: 'ما يُسمح لك به',
    start: 'ابدأ',
    ready: 'يمكنك العمل باسم {{person}} في {{hospital}} حتى {{until}}.',
    open: 'افتح البوابة',
    openHow: 'تُفتح في لسان جديد، مرة واحدة، خلال دقيقة.',
    own: 'ما عملته باسم آخرين',
    none: 'لا يوجد شيء بعد.',
  },
  error: {
    code: {
      PERSON_UNKNOWN: 'لا أحد في هذا المستشفى لديه حساب بهذا العنوان.',
      PERSON_NOT_IMPERSONABLE: 'لا يجوز لأحد العمل باسم هذا الشخص: مالك أو شاشة أو شخص غير نشط.',
    },
  },
};
export default words;
