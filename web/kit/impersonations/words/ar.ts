import type en from './en.ts';

const words: typeof en = {
  acting: {
    whoColumn: 'من',
    asWhom: 'باسم من',
    when: 'متى',
    may: 'يُسمح له',
    state: 'الحالة',
    until: 'الآن، حتى {{time}}',
    ended: 'انتهى',
    endedBy: 'أنهاه {{name}}',
    endOf: 'إنهاء الآن: وصول {{name}}',
    reasonField: 'السبب',
    modeRead: 'القراءة',
    modeWrite: 'القراءة والكتابة',
  },
};
export default words;
