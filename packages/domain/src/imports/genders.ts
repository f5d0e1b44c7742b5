/** Genders as files write them: words of several languages, and letters that depend on the column. Pure. */

const WORDS = {
  female: [
    ...['f', 'w', 'ж', '女', 'woman', 'girl', 'أنثى', 'انثى', 'perempuan', 'femme', 'mujer', 'femenino', 'feminino'],
    ...['weiblich', 'frau', 'vrouw', 'kadın', 'kadin', 'kobieta', 'женский'],
  ],
  male: [
    ...['m', 'h', 'м', '男', 'man', 'boy', 'ذكر', 'laki-laki', 'homme', 'hombre', 'masculino', 'männlich'],
    ...['mann', 'herr', 'erkek', 'mężczyzna', 'мужской'],
  ],
} as const;
type Gender = keyof typeof WORDS;

const GENDERS: ReadonlyMap<string, Gender> = new Map(
  (['female', 'male'] as const).flatMap((gender) => WORDS[gender].map((word) => [word, gender] as const)),
);

/** The gender that a word names in any column, or the word itself. */
export function genderOf(written: string): string {
  const word = written.toLowerCase();
  return GENDERS.get(word) ?? word;
}

/** Letters that mean something else in a column than `genderOf` says. Null: nobody can tell what they mean. */
export type GenderLetters = ReadonlyMap<string, Gender | null>;

/**
 * The M of a column is that of "mujer" if its men are H ("hombre") or V ("varón").
 * @param heading of the column.
 */
export function genderLetters(heading: string, cells: Iterable<string>): GenderLetters {
  const words = new Set(Array.from(cells, (cell) => cell.trim().toLowerCase()));
  const isIberian = /^(?:sexo|genero)$/i.test(heading.normalize('NFKD').replaceAll(/\P{L}/gu, ''));
  const has = (...any: readonly string[]) => any.some((word) => words.has(word));
  const hasF = [...words].some((word) => word.startsWith('f'));
  if (!has('m')) return new Map();
  if (has('h', 'hombre')) return new Map([['m', hasF ? null : 'female']]);
  if (hasF) return new Map();
  // In Dutch, V is "vrouw".
  if (has('v', 'varón', 'varon')) {
    return new Map<string, Gender | null>(
      isIberian || has('varón', 'varon')
        ? [
            ['m', 'female'],
            ['v', 'male'],
          ]
        : [
            ['m', null],
            ['v', null],
          ],
    );
  }
  return isIberian ? new Map([['m', null]]) : new Map();
}
