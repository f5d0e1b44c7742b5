/** The words of the portal's pages, for tests that work in several languages. */
import path from 'node:path';

type Language = 'en' | 'ar';
/** A text by its key, with values in its places. */
export type Say = (key: string, values?: Readonly<Record<string, string>>) => string;

type Words = Readonly<Record<string, unknown>>;
type Pages = Readonly<Record<string, Readonly<Record<Language, () => Promise<{ readonly default: Words }>>>>>;

/** Not by a name that TypeScript follows: the pages are checked with the types of browsers. */
const ofPortal = async (file: string) => import(path.resolve(import.meta.dirname, '../../web/portal', file));

/** The words of a language, as the pages show them. */
export async function wordsOf(language: Language): Promise<Say> {
  const { portalPages }: { readonly portalPages: Pages } = await ofPortal('pages/words.ts');
  const { default: own }: { readonly default: Words } = await ofPortal(`words/${language}.ts`);
  const { default: shared }: { readonly default: Words } = await ofPortal(`../kit/words/${language}.ts`);
  const parts = await Promise.all(Object.values(portalPages).map(async (page) => (await page[language]()).default));
  return (key, values = {}) => {
    const found = [own, shared, ...parts].map((words) =>
      key.split('.').reduce<unknown>((at, name) => (at as Words)?.[name], words),
    );
    const text = found.find((one) => typeof one === 'string');
    if (typeof text !== 'string') throw new Error(`there are no words ${key}`);
    return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
  };
}
