/** All words, as types: what keys `t` takes. */
import type { consolePages } from '../../console/pages/words.ts';
import type { ConsoleWords } from '../../console/words/en.ts';
import type { portalPages } from '../../portal/pages/words.ts';
import type { PortalWords } from '../../portal/words/en.ts';
import type { KitWords } from '../words/en.ts';
import type { kitPages } from '../words/pages.ts';

type Files = typeof kitPages & typeof portalPages & typeof consolePages;
type English = { [Name in keyof Files]: Awaited<ReturnType<Files[Name]['en']>>['default'] };
/** A | B as A & B. */
type Both<Union> = (Union extends unknown ? (part: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

export type AllWords = KitWords & PortalWords & ConsoleWords & Both<English[keyof English]>;
