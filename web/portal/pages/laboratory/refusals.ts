/** Why a value, or a row of the file of an analyser, is refused: in the words of the page. */
import { sentenceFor } from '../../../kit/forms/sentence.ts';
import { wordOf } from '../../../kit/i18n/i18n.ts';

/** What the laboratory says, with the parts that a word repeats. Others are shown as it says them. */
const REFUSALS = [
  ['number', /^must be a number, like /],
  ['blank', /^must have no blank inside the number: /],
  ['point', /^must have a digit before and after the point: /],
  ['decimals', /^must have at most (?<most>\d+) decimals: /],
  ['option', /^must be one of (?<options>.+)$/],
  ['noSpecimen', /^is no specimen of this hospital$/],
  ['rejected', /^is a rejected specimen$/],
  ['notOrdered', /^is not ordered for this specimen$/],
  ['noUnit', /^must be empty: values are not converted$/],
  ['unit', /^must be (?<unit>.+): values are not converted$/],
  ['time', /^must be a date and time with its offset, /],
  ['implausible', /^must not be in the future, nor more than 7 days before the order: /],
  ['notCollected', /^The specimen is not collected yet$/],
  ['cancelled', /^The test is cancelled$/],
  ['verified', /^has another value, which is verified: /],
  ['twice', /^is also in line (?<line>\d+), /],
  ['cells', /^has (?<cells>\d+) cells, but line 1 has (?<columns>\d+): /],
  ['older', /^is before the current result, which is of (?<time>\S+): /],
] as const;

/** @returns undefined for what the page has no words for. */
export function refusalOf(message: string): string | undefined {
  for (const [word, pattern] of REFUSALS) {
    const found = pattern.exec(message);
    if (found) return wordOf(`laboratory.refusals.${word}`, { ...found.groups });
  }
  return undefined;
}

export const refusalText = (message: string): string => refusalOf(message) ?? sentenceFor(message);
