import type en from './en.ts';

type Plurals = Readonly<Record<`expected_${'zero' | 'two' | 'few' | 'many'}`, string>>;

const words: typeof en & { readonly today: Plurals } = {
  today: {
    title: 'اليوم، {{day}}',
    calendar: 'التقويم',
    list: 'مواعيد اليوم',
    none: 'لا مواعيد معك اليوم.',
    noEmployee: 'حسابك لا يخص موظفًا، لذلك لا توجد مواعيد معك.',
    expected_zero: 'لا مواعيد',
    expected_one: 'موعد واحد',
    expected_two: 'موعدان',
    expected_few: '{{count}} مواعيد',
    expected_many: '{{count}} موعدًا',
    expected_other: '{{count}} موعد',
    here: 'موجودون الآن: {{count}}',
    seen: 'تمت معاينتهم: {{count}}',
    prescribe: 'وصف دواء',
    prescribeFor: 'وصف دواء لـ {{name}}',
    order: 'طلب فحوص',
    orderFor: 'طلب فحوص لـ {{name}}',
  },
};
export default words;
