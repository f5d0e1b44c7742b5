/** Output templates with kubectl's syntax: JSONPath and custom columns. */
import { JSONPath } from 'jsonpath-plus';
import { EXIT, Exit } from './exit.ts';

type Part =
  | { readonly text: string }
  | { readonly path: string }
  | { readonly range: string; readonly body: readonly Part[] };

/**
 * A template such as `{range .items[*]}{.metadata.name}{"\n"}{end}`.
 * @returns what prints data. A field that is missing prints nothing, several values are separated by a blank, and
 * objects are printed as JSON.
 * @throws Exit that names what is wrong in the template.
 */
export function jsonPath(template: string): (data: unknown) => string {
  if (!template.includes('{'))
    throw new Exit(EXIT.usage, `-o jsonpath=${template} has no expression in braces: write {.metadata.name}.`);
  const parts = parse(template);
  return (data) => render(parts, data);
}

/**
 * Columns such as `NAME:.metadata.name,READY:.status.conditions[?(@.type=="Ready")].status`.
 * @returns the rows of objects, with the heading first. A missing value is `<none>`.
 * @throws Exit that names the column that is wrong.
 */
export function customColumns(template: string): (objects: readonly unknown[]) => string[][] {
  const parsed = columnsOf(template);
  return (objects) => [
    parsed.map(({ heading }) => heading),
    ...objects.map((object) =>
      parsed.map(({ path }) => {
        const values = valuesAt(path, object);
        return values.length === 0 ? '<none>' : values.map(textOf).join(',');
      }),
    ),
  ];
}

/** The columns of a template of custom columns. @throws Exit */
export function columnsOf(template: string): { heading: string; path: string }[] {
  return splitOutside(template, ',').map((column) => {
    const at = column.indexOf(':');
    const [heading, spec] = [column.slice(0, at).trim(), column.slice(at + 1).trim()];
    if (at < 1 || spec === '')
      throw new Exit(EXIT.usage, `-o custom-columns has "${column}": write HEADING:.path, like NAME:.metadata.name.`);
    const path = pathOf(/^\{.*\}$/s.test(spec) ? spec.slice(1, -1) : spec);
    valuesAt(path, {});
    return { heading, path };
  });
}

function parse(template: string): Part[] {
  const stack: { range: string; body: Part[] }[] = [{ range: '', body: [] }];
  for (const piece of piecesOf(template)) {
    const parts = stack.at(-1)?.body ?? [];
    if ('text' in piece) parts.push(piece);
    else if (/^range\s/.test(piece.code)) stack.push({ range: pathOf(piece.code.slice(5).trim()), body: [] });
    else if (piece.code === 'end') {
      const ended = stack.length > 1 ? stack.pop() : undefined;
      if (!ended) throw new Exit(EXIT.usage, '-o jsonpath has {end} without {range …} before it.');
      stack.at(-1)?.body.push(ended);
    } else for (const expression of splitOutside(piece.code, ' ')) parts.push(expressionOf(expression));
  }
  if (stack.length > 1) throw new Exit(EXIT.usage, '-o jsonpath has {range …} without {end} after it.');
  return stack[0]?.body ?? [];
}

/** Texts, and what is in braces. A brace in a quoted text belongs to the text. */
function piecesOf(template: string): ({ text: string } | { code: string })[] {
  const pieces = [...template.matchAll(/([^{]+)|\{((?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^}"'])*)\}/gs)];
  const length = pieces.reduce((sum, [piece]) => sum + piece.length, 0);
  if (length !== template.length)
    throw new Exit(EXIT.usage, `-o jsonpath=${template} has a brace or a quotation mark that is not closed.`);
  return pieces.map(([, text, code]) => (code === undefined ? { text: text ?? '' } : { code: code.trim() }));
}

function expressionOf(expression: string): Part {
  const [, double, single] = /^(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)')$/s.exec(expression) ?? [];
  const quoted = double ?? single;
  if (quoted === undefined) return { path: pathOf(expression) };
  const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };
  return { text: quoted.replace(/\\(.)/gs, (_all, character: string) => escapes[character] ?? character) };
}

/** Splits at a character that is not inside brackets or quotation marks. */
function splitOutside(text: string, separator: string): string[] {
  const parts = [''];
  let depth = 0;
  let quote = '';
  for (const [index, character] of [...text].entries()) {
    if (quote) quote = character === quote && text[index - 1] !== '\\' ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if ('[('.includes(character)) depth += 1;
    else if ('])'.includes(character)) depth -= 1;
    if (character === separator && depth === 0 && !quote) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.filter((part) => part !== '');
}

/**
 * kubectl's JSONPath as the library's: a name with a hyphen or an escaped dot is put in brackets, as the library would
 * read `a-b` in a filter as a subtraction, names of a union are not quoted, and a path may begin without a dollar sign.
 */
function pathOf(expression: string): string {
  const path = expression.replace(/^\$/, '');
  if (!/^[.[@]/.test(path))
    throw new Exit(EXIT.usage, `"${expression}" is no path: begin it with a dot, like .metadata.name.`);
  const named = path.replace(
    /("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(\.{1,2})((?:\\.|[\w/-])+)/g,
    (all, quoted: string | undefined, dots: string, name: string) => {
      if (quoted !== undefined || /^\w+$/.test(name)) return all;
      return `${dots === '..' ? '..' : ''}['${name.replace(/\\(.)/g, '$1')}']`;
    },
  );
  const unions = named.replace(/\['\w+'(?:,'\w+')+\]/g, (union) => union.replaceAll("'", ''));
  // `{.}` and `{@}` are the object itself.
  return `$${unions === '.' ? '' : unions.replace(/^@/, '')}`;
}

function valuesAt(path: string, data: unknown): unknown[] {
  const json = path === '$' ? data : typeof data === 'object' && data !== null ? data : undefined;
  if (json === undefined) return [];
  if (path === '$') return [json];
  try {
    return JSONPath<unknown[]>({ path, json: json as object, wrap: true, eval: 'safe' });
  } catch (error) {
    throw new Exit(EXIT.usage, `"${path.slice(1)}" is no path: ${error instanceof Error ? error.message : error}.`);
  }
}

function render(parts: readonly Part[], data: unknown): string {
  return parts
    .map((part) => {
      if ('text' in part) return part.text;
      if ('path' in part) return valuesAt(part.path, data).map(textOf).join(' ');
      return valuesAt(part.range, data)
        .map((item) => render(part.body, item))
        .join('');
    })
    .join('');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
