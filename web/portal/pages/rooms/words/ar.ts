import type en from './en.ts';

const words: typeof en = {
  rooms: {
    new: 'غرفة جديدة',
    search: 'الاسم أو الرمز',
    empty: 'لا توجد غرف بعد.',
    name: 'الاسم',
    code: 'الرمز',
    clinicId: 'العيادة',
    location: 'موقعها',
    confirm: 'حذف الغرفة «{{name}}»؟',
  },
  error: {
    code: {
      ROOM_CODE_TAKEN: 'لغرفة أخرى هذا الرمز.',
      ROOM_IN_USE: 'للأطباء ساعات عمل في هذه الغرفة. اختر لهم غرفة أخرى أولاً، أو أنهِ ساعاتهم.',
    },
  },
};
export default words;
