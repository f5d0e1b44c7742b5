/** The HTML of the entries. */
import fs from 'node:fs';
import path from 'node:path';
import type { StartData } from './start-data.ts';

export interface Pages {
  /** Version of the build. */
  readonly build: string;
  /** Folder of the hashed files. */
  readonly assets: string;
  /** The service workers of the portal and of televisions, scripts by their names. */
  readonly workers: Readonly<Record<'portal-worker.js' | 'tv-worker.js', string>>;
  /**
   * The page with its start data.
   * @param nonce for the styles.
   * @param colorScheme that the person has chosen. Anything else than `light` and `dark` is none.
   */
  render(data: StartData & { readonly entry: ScriptedEntry }, nonce: string, colorScheme: string | undefined): string;
  /** The document of the platform's own pages, with placeholders. */
  readonly landing: string;
}

/** The landing page has no script. */
type ScriptedEntry = Exclude<StartData['entry'], 'landing'>;

/** Placeholder that Vite writes as the nonce of a page. */
const NONCE = /__NONCE__/g;
/** Placeholder in pages whose colors a person can choose. */
const COLOR_SCHEME = '__COLOR_SCHEME__';
const DATA = '"__START_DATA__"';

/** @param folder as `web/tools/build.ts` makes it. */
export function readPages(folder: string): Pages {
  const read = (file: string) => fs.readFileSync(path.join(folder, file), 'utf8');
  const html = {
    portal: read('portal/index.html'),
    console: read('console/index.html'),
    tv: read('tv/index.html'),
    visit: read('visit/index.html'),
    verify: read('verify/index.html'),
  };
  return {
    build: read('build.txt').trim(),
    assets: path.join(folder, 'assets'),
    workers: { 'portal-worker.js': read('portal-worker.js'), 'tv-worker.js': read('tv-worker.js') },
    render: (data, nonce, colorScheme) =>
      html[data.entry]
        .replace(NONCE, nonce)
        .replace(COLOR_SCHEME, colorScheme === 'light' || colorScheme === 'dark' ? colorScheme : 'light dark')
        .replace(DATA, () => JSON.stringify(data).replaceAll('<', String.raw`\u003c`)),
    landing: read('landing/index.html'),
  };
}
