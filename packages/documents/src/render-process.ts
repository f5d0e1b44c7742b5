/** What a process of the `Renderer` runs. Its compiler knows all fonts, and reads one when a document needs it. */
import path from 'node:path';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { imageSize } from 'image-size';
import { fontFiles } from './fonts.ts';
import { undrawable, withCodes } from './missing.ts';

export interface RenderRequest {
  /** File in the folder of templates, without its ending. */
  readonly template: string;
  /** JSON. It reaches the template as data and is never part of its source text. */
  readonly data: string;
  readonly logo: Uint8Array | undefined;
  /** Seconds since 1970. */
  readonly createdAt: number;
}

export interface RenderResult {
  readonly pdf: Uint8Array;
  readonly missing: readonly string[];
  readonly logoError: string | undefined;
}

/** The folder of templates is the program's argument. Compiling can't read files outside it. */
const TEMPLATES = process.argv[2] ?? '';
const LOGO = path.join(TEMPLATES, 'logo');
/** Results of earlier documents that the compiler may keep for the next ones. */
const KEPT = 10;
const LOGO_TYPES = ['png', 'jpg', 'webp', 'svg'];
/** A small file can contain a picture that takes gigabytes of memory. */
const MOST_PIXELS = 25_000_000;

const compiler = NodeCompiler.create({ workspace: TEMPLATES, fontArgs: [{ fontPaths: [...fontFiles()] }] });

/** Draws the document. What can't be drawn, characters or the logo, is replaced or left out, one after the other. */
export default function render({ template, createdAt, ...request }: RenderRequest): RenderResult {
  let { data, logo } = request;
  const missing = new Set<string>();
  let logoError = logo && flawOf(logo);
  if (logoError) logo = undefined;
  for (;;) {
    try {
      return { pdf: draw(template, data, logo, createdAt), missing: [...missing], logoError };
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const coded = withCodes(data, undrawable(message));
      if (coded.found.size > 0) {
        data = coded.json;
        for (const character of coded.found) missing.add(character);
      } else if (logo) {
        logoError = message;
        logo = undefined;
      } else {
        throw error;
      }
    }
  }
}

function draw(template: string, data: string, logo: Uint8Array | undefined, createdAt: number): Uint8Array {
  if (logo) compiler.mapShadow(LOGO, Buffer.from(logo));
  try {
    const compiled = compiler.compile({
      mainFilePath: path.join(TEMPLATES, `${template}.typ`),
      inputs: { data, logo: logo ? '/logo' : '' },
      resetRead: true,
    });
    const document = compiled.result;
    if (!document) throw new Error(JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics));
    return compiler.pdf(document, { pdfStandard: 'a-2b', creationTimestamp: createdAt });
  } finally {
    compiler.resetShadow();
    compiler.evictCache(KEPT);
  }
}

/** @returns why the file can't be a logo. */
function flawOf(logo: Uint8Array): string | undefined {
  try {
    const { type = 'unknown', width, height } = imageSize(logo);
    if (!LOGO_TYPES.includes(type)) return `a logo is PNG, JPEG, WebP or SVG, not ${type}`;
    if (type !== 'svg' && width * height > MOST_PIXELS) return `a logo has at most ${MOST_PIXELS} pixels`;
    return undefined;
  } catch {
    return 'a logo is PNG, JPEG, WebP or SVG';
  }
}
