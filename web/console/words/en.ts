/** What the console loads first: the words of its menu, and those of the kit. Pages bring their own. */
import { kitWords } from '../../kit/words/en.ts';

const consoleWords = {
  menu: {
    hospitals: 'Hospitals',
    engines: 'Engines',
    migrations: 'Migrations',
    impersonation: 'Act as somebody',
    templates: 'Role templates',
    audit: 'Audit log',
  },
};
export type ConsoleWords = typeof consoleWords;

export default { ...kitWords, ...consoleWords };
