import type en from './en.ts';

const words: typeof en = {
  audit: {
    empty: 'لا توجد أحداث.',
    when: 'متى',
    happened: 'ما حدث',
    what: 'الإجراء',
    about: 'نوع السجل',
    all: 'كل الإجراءات',
    everything: 'كل السجلات',
    person: 'الشخص',
    personHint: 'الاسم أو البريد',
    onePerson: 'شخص واحد',
    allPeople: 'كل الأشخاص',
    patient: 'المريض',
    onePatient: 'مريض واحد',
    allPatients: 'كل المرضى',
    from: 'من',
    to: 'حتى قبل',
    clear: 'مسح المرشحات',
    export: 'حفظ بصيغة CSV',
    details: 'التفاصيل',
  },
};

export default words;
