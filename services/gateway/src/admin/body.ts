import type { IncomingMessage } from 'node:http';
import type { Kind } from '../entities/index.ts';
import { schemas } from '../entities/index.ts';
import { readBody, UploadError } from '../proxy/upload.ts';
import { nestForm, typedRecord } from '../schema/form.ts';
import { isRecord } from '../schema/validate.ts';
import { AdminError, badRequest } from '../store/errors.ts';

type Input = Readonly<Record<string, unknown>>;

/** The body of a call. Forms carry text only, which is typed by the schema of the entity. */
export class Body {
  readonly #input: Input;
  readonly #isForm: boolean;

  constructor(input: Input, isForm: boolean) {
    this.#input = input;
    this.#isForm = isForm;
  }

  /** The body without one of its fields, and that field. A single value of a form becomes a list of one. */
  without(field: string): { readonly [field: string]: unknown; readonly rest: Body } {
    const { [field]: value, ...rest } = this.#input;
    const list = this.#isForm && typeof value === 'string' ? (value === '' ? [] : [value]) : value;
    return { [field]: list, rest: new Body(rest, this.#isForm) } as { readonly rest: Body };
  }

  /** @param existing the row to change: its plugin name selects the schema of its configuration */
  for(kind: Kind, existing?: Input): Input {
    if (!this.#isForm) return this.#input;
    const schema = schemas[kind];
    const variant = schema.variant?.({ name: existing?.name, ...this.#input }) ?? schema;
    const fields = 'errors' in variant ? schema.fields : variant.fields;
    return typedRecord({ type: 'record', fields }, this.#input) as Input;
  }
}

/** Reads a call's body by its type. Refuses what can't be parsed. */
export async function readInput(request: IncomingMessage): Promise<Body> {
  const type = request.headers['content-type'] ?? '';
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) throw tooLarge();
  const bytes = await readBody(request, MAX_BYTES).catch((error: unknown) => {
    throw error instanceof UploadError && error.reason === 'too large' ? tooLarge() : error;
  });
  if (type.startsWith('application/json')) return new Body(parseJson(bytes.toString()), false);
  if (type.startsWith('application/x-www-form-urlencoded')) {
    return formBody(argumentsOf(bytes.toString()));
  }
  if (type.startsWith('multipart/form-data') && bytes.length === 0) return formBody([]);
  if (type.startsWith('multipart/form-data')) return formBody(await parseMultipart(bytes, type));
  if (type === '' && bytes.length === 0) return new Body({}, false);
  throw new AdminError(415, { message: 'Unsupported Media Type' });
}

function parseJson(text: string): Input {
  try {
    if (nestsTooDeeply(text)) throw badRequest('Cannot parse JSON body');
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return value;
  } catch {
    // Refused below, like JSON that is not an object.
  }
  throw badRequest('Cannot parse JSON body');
}

/** Deeper nesting would overflow the stack of the recursive functions that read the value. */
function nestsTooDeeply(text: string): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted) {
      if (character === '\\') at += 1;
      else isQuoted = character !== '"';
    } else if (character === '"') isQuoted = true;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** The arguments of a query or a form. Refuses more than Kong reads, before it parses them. */
export function argumentsOf(text: string): [string, string][] {
  if (countOf(text, '&') >= MAX_ARGUMENTS) throw badRequest('Too many arguments');
  return [...new URLSearchParams(text)];
}

function countOf(text: string | Buffer, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0 && count <= MAX_ARGUMENTS + 1; at = text.indexOf(part, at + 1)) count += 1;
  return count;
}

function tooLarge(): AdminError {
  return new AdminError(413, { message: 'Payload too large' });
}

async function parseMultipart(bytes: Buffer, type: string): Promise<[string, string][]> {
  const [, boundary] = /boundary="?([^";]+)/i.exec(type) ?? [];
  // One more boundary ends the body.
  if (boundary && countOf(bytes, `--${boundary}`) > MAX_ARGUMENTS + 1) throw badRequest('Too many arguments');
  try {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
    const pairs = [...form].map(async ([name, value]): Promise<[string, string]> => {
      return [name, typeof value === 'string' ? value : await value.text()];
    });
    return await Promise.all(pairs);
  } catch {
    throw badRequest('Cannot parse multipart body');
  }
}

function formBody(pairs: readonly [string, string][]): Body {
  if (pairs.length > MAX_ARGUMENTS) throw badRequest('Too many arguments');
  return new Body(nestForm(pairs), true);
}

const MAX_BYTES = 10 * 1024 * 1024;
const MAX_ARGUMENTS = 1000;
/** lua-cjson: decode_max_depth. */
const MAX_DEPTH = 1000;
