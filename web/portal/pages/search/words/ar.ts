import type en from './en.ts';

const words: typeof en = {
  search: {
    field: 'الاسم أو تاريخ الميلاد أو الهاتف أو الرقم',
    name: 'الاسم أو الرقم',
    more: 'التفاصيل',
    hint: 'اكتب حرفين على الأقل. تتنقل بين النتائج بمفاتيح الأسهم، وتفتحها بمفتاح الإدخال.',
    all: 'كل ما يطابق “{{text}}”',
  },
};
export default words;
