import type en from './en.ts';

const words: typeof en = {
  refunds: {
    number: 'الاسترداد',
    patient: 'المريض',
    of: 'من',
    amount: 'المبلغ المعاد',
    credited: 'الملغى',
    method: 'عن طريق',
    reason: 'السبب',
    requestedBy: 'طلبه',
    status: 'الحالة',
    statuses: { requested: 'ينتظر الموافقة', approved: 'ينتظر الدفع', rejected: 'مرفوض', completed: 'مكتمل' },
    onlyOpen: 'المفتوحة فقط',
    search: 'الرقم أو المريض',
    empty: 'لا توجد استردادات.',
    emptyOpen: 'لا يوجد استرداد ينتظر أحدًا.',
    approve: 'موافقة',
    approveOf: 'موافقة على {{number}}',
    reject: 'رفض',
    rejectOf: 'رفض {{number}}',
    rejectWhy: 'لماذا يُرفض {{number}}؟',
    payOut: 'دفع {{amount}}',
    own: 'يوافق عليه شخص آخر.',
    slip: 'إيصال الجهاز',
    creditNote: 'إشعار دائن',
    receipt: 'الإيصال',
    paidOut: 'تم دفع {{amount}} إلى {{name}}، الإيصال {{receipt}}',
    inCash: 'نقدًا: {{amount}}',
  },
};
export default words;
