/** The fonts of documents. Each is the npm package `@expo-google-fonts/…` of its name, and one line here. */
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The first one has Latin, Greek, Cyrillic and Devanagari. The compiler reads the next one only for what it lacks. */
const FONTS = [
  'Noto Sans',
  'Noto Sans Arabic',
  'Noto Sans Thai',
  'Noto Sans Hebrew',
  'Noto Sans Bengali',
  'Noto Sans Tamil',
  'Noto Sans Sinhala',
  'Noto Sans Georgian',
  'Noto Sans Ethiopic',
  'Noto Sans Khmer',
  'Noto Sans Armenian',
  'Noto Sans Lao',
  'Noto Sans Myanmar',
  'Noto Sans Telugu',
  'Noto Sans Kannada',
  'Noto Sans Malayalam',
  'Noto Sans Gujarati',
  'Noto Sans Gurmukhi',
  'Noto Sans Oriya',
  'Noto Sans Thaana',
  'Noto Serif Tibetan',
  'Noto Sans Math',
  'Noto Sans Symbols',
  'Noto Sans Symbols 2',
] as const;

/** Each has the Han characters of all, in the shapes of one region: mainland China, Taiwan, Japan, Korea. */
const HAN = ['Noto Sans SC', 'Noto Sans TC', 'Noto Sans JP', 'Noto Sans KR'] as const;
const HAN_OF_SCRIPT: Readonly<Record<string, (typeof HAN)[number]>> = {
  Hant: 'Noto Sans TC',
  Jpan: 'Noto Sans JP',
  Kore: 'Noto Sans KR',
};

const WEIGHTS = ['400Regular', '700Bold'];

/** The fonts of a document in the order in which they are asked for a glyph. Its language decides how Han looks. */
export function fontsFor(language: Intl.Locale): readonly string[] {
  const preferred = HAN_OF_SCRIPT[language.maximize().script ?? ''] ?? HAN[0];
  return [...FONTS, preferred, ...HAN.filter((font) => font !== preferred)];
}

/** Paths of the files of all fonts. Those without a bold weight have one file. */
export function fontFiles(): readonly string[] {
  const { resolve } = createRequire(import.meta.url);
  return [...FONTS, ...HAN].flatMap((font) => {
    const name = font.toLowerCase().replaceAll(' ', '-');
    const folder = path.dirname(resolve(`@expo-google-fonts/${name}/package.json`));
    return WEIGHTS.map((weight) => path.join(folder, weight))
      .filter((files) => existsSync(files))
      .flatMap((files) => readdirSync(files).map((file) => path.join(files, file)))
      .filter((file) => file.endsWith('.ttf'));
  });
}
