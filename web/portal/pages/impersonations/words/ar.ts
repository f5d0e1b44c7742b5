import type en from './en.ts';

const words: typeof en = {
  acting: {
    supportHow: 'متى عمل أحد من المنصة باسم أحد من هذا المستشفى، ولماذا.',
    supportNone: 'لم يعمل أحد من المنصة باسم أحد من هذا المستشفى.',
  },
};
export default words;
