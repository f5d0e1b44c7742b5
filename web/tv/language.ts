/** The language of a television: the hospital's, and the browser's as long as that is not known. */
import { type Language as LanguageWith, languages } from '../kit/plain/language.ts';
import { words as ar } from './words/ar.ts';
import { words as en, type Words } from './words/en.ts';

export { say, sayFor } from '../kit/plain/language.ts';

export type Language = LanguageWith<Words>;

/** @param tag such as ar-EG */
export const languageOf = languages<Words>(en, ar);
