/** What modules say about what was typed, who speak English. */
import i18next from 'i18next';
import { wordOf } from '../i18n/i18n.ts';

/** What the module says about a field stands below it, as a sentence of its own. The modules speak English. */
export function sentenceFor(message: string): string {
  const text = message.replace(/^is refused: /, '');
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return i18next.language === 'en' ? sentence : `${wordOf('form.refused')} ${LEFT_TO_RIGHT}${sentence}${END}`;
}

/** Around a text of another direction. */
const [LEFT_TO_RIGHT, END] = ['\u2066', '\u2069'];
