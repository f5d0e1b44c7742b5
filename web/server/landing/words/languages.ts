/** The languages of the platform's own pages. One more is one more file, and a line here. */
import { ar } from './ar.ts';
import { en } from './en.ts';
import type { Words } from './words.ts';

export const LANGUAGES = { en, ar } as const satisfies Readonly<Record<string, Words>>;

export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_NAMES = Object.keys(LANGUAGES) as readonly Language[];
