/** Reads XML as a tree of elements by their local names. No entities are expanded, and nothing is fetched. */
import { SaxesParser } from 'saxes';
import { StatementError } from './statement.ts';

export interface Element {
  readonly name: string;
  readonly line: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const DEEPEST = 100;

/** The root of a document. @throws StatementError */
export function readXml(text: string): Element {
  const parser = new SaxesParser({ xmlns: true });
  const root: Element = { name: '', line: 1, attributes: {}, children: [], text: '' };
  const open = [root];
  const addText = (more: string) => {
    const element = open.at(-1);
    if (element) element.text += more;
  };
  parser.on('error', () => {
    throw new StatementError(`Line ${parser.line} is no valid XML: download the statement from the bank again.`);
  });
  parser.on('doctype', () => {
    throw new StatementError('The file has a DOCTYPE, which bank statements never have: ask the bank for camt.053.');
  });
  parser.on('opentag', ({ local, attributes }) => {
    if (open.length > DEEPEST) {
      throw new StatementError(`Line ${parser.line} has too many elements in each other: ask the bank for camt.053.`);
    }
    const values = Object.values(attributes).map((one) => [one.local, one.value]);
    const element = { name: local, line: parser.line, attributes: Object.fromEntries(values), children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    open.pop();
  });
  parser.write(text).close();
  return root;
}

/** All elements at a path such as `RmtInf/Ustrd`. */
export function all(element: Element | undefined, path: string): readonly Element[] {
  let found = element ? [element] : [];
  for (const name of path.split('/')) {
    found = found.flatMap(({ children }) => children.filter((child) => child.name === name));
  }
  return found;
}

/** The text of the first of the paths that has one. */
export function textAt(element: Element | undefined, ...paths: readonly string[]): string | null {
  for (const path of paths) {
    const text = all(element, path)[0]?.text.trim();
    if (text) return text;
  }
  return null;
}
