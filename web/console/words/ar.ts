import { kitWords } from '../../kit/words/ar.ts';
import type { ConsoleWords } from './en.ts';

const consoleWords: ConsoleWords = {
  menu: {
    hospitals: 'المستشفيات',
    engines: 'المحرّكات',
    migrations: 'الترحيلات',
    impersonation: 'العمل باسم شخص',
    templates: 'قوالب الأدوار',
    audit: 'سجل التدقيق',
  },
};

export default { ...kitWords, ...consoleWords };
