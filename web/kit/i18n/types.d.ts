import type { ConsoleWords } from '../../console/words/en.ts';
import type { PortalWords } from '../../portal/words/en.ts';
import type { KitWords } from '../words/en.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: KitWords & PortalWords & ConsoleWords };
  }
}
