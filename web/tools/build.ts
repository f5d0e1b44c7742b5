/**
 * Builds the pages: `node web/tools/build.ts` prints the folder with the result. It has the hash of the sources in its
 * name, so nothing is built twice, and a running server keeps its own files. With --find, prints nothing unless it is
 * there. With --out <folder>, builds there.
 */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';

const WEB = path.resolve(import.meta.dirname, '..');
const PROJECT = path.resolve(WEB, '..');
const CACHE = path.join(PROJECT, 'node_modules', '.cache', 'hms-web');
/** What a service worker keeps from the beginning, and all that it imports at once. */
const AT_FIRST = {
  portal: ['portal/index.html', 'portal/words/en.ts', 'portal/words/ar.ts', 'kit/session/last-state.ts'],
  tv: ['tv/index.html'],
} as const;

/** Builds that are kept: a test run and a platform may use different ones. */
const KEPT = 4;
/** What the pages are made of. */
const SOURCES = [
  ...['portal', 'console', 'tv', 'visit', 'verify', 'landing', 'kit', 'vite.config.ts', 'tools'].map((name) =>
    path.join(WEB, name),
  ),
  path.join(PROJECT, 'packages', 'api-client', 'src'),
  path.join(PROJECT, 'package-lock.json'),
];

const [option, value] = process.argv.slice(2);
const version = versionOf(SOURCES);
const target = option === '--out' && value ? path.resolve(value) : path.join(CACHE, version);
if (!fs.existsSync(target) && option !== '--find') {
  await build(target);
  if (option !== '--out') removeOld();
}
if (fs.existsSync(target)) {
  fs.utimesSync(target, new Date(), new Date());
  process.stdout.write(`${target}\n`);
}

async function build(folder: string): Promise<void> {
  // Tests have another value, with which React would be its slow version for development.
  process.env.NODE_ENV = 'production';
  const { build: bundle } = await import('vite');
  const temporary = `${folder}.${process.pid}.tmp`;
  try {
    await bundle({
      configFile: path.join(WEB, 'vite.config.ts'),
      root: WEB,
      logLevel: 'warn',
      build: { outDir: temporary, emptyOutDir: true },
    });
    fs.writeFileSync(path.join(temporary, 'build.txt'), `${version}\n`);
    for (const entry of ['portal', 'tv'] as const)
      fs.writeFileSync(path.join(temporary, `${entry}-worker.js`), await workerOf(temporary, entry));
    compress(path.join(temporary, 'assets'));
    // Another process may have been faster.
    if (!fs.existsSync(folder)) fs.renameSync(temporary, folder);
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly assets?: readonly string[];
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
}

/** The service worker of an entry, with the names of the files that it keeps. Of televisions, it keeps all of them. */
async function workerOf(folder: string, entry: keyof typeof AT_FIRST): Promise<string> {
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, '.vite', 'manifest.json'), 'utf8'));
  const files = new Set<string>();
  const visit = (name: string) => {
    const { file, css = [], assets = [], imports = [], dynamicImports = [] }: Chunk = manifest[name];
    if (files.has(file)) return;
    for (const each of [file, ...css, ...assets]) files.add(each);
    for (const each of [...imports, ...(entry === 'tv' ? dynamicImports : [])]) visit(each);
  };
  for (const name of AT_FIRST[entry]) visit(name);
  const shell = {
    build: version,
    files: [...files].filter((file) => !file.endsWith('.html')).map((file) => `/${file}`),
  };
  const { transformWithOxc } = await import('vite');
  const file = path.join(WEB, entry, 'worker', 'worker.ts');
  const { code } = await transformWithOxc(fs.readFileSync(file, 'utf8'), file);
  return `const SHELL = ${JSON.stringify(shell)};\n${code}`;
}

/** Beside each file of text, the same in gzip and brotli. */
function compress(folder: string): void {
  for (const name of fs.readdirSync(folder).filter((file) => /\.(m?js|css|svg|json)$/.test(file))) {
    const file = path.join(folder, name);
    const content = fs.readFileSync(file);
    fs.writeFileSync(`${file}.gz`, zlib.gzipSync(content, { level: 9 }));
    fs.writeFileSync(`${file}.br`, zlib.brotliCompressSync(content));
  }
}

function versionOf(sources: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesIn).sort()) {
    hash
      .update(`${path.relative(PROJECT, file)}\0`)
      .update(fs.readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

function filesIn(file: string): string[] {
  if (!fs.existsSync(file)) return [];
  if (fs.statSync(file).isFile()) return /\.test\.ts$/.test(file) ? [] : [file];
  return fs.readdirSync(file).flatMap((name) => filesIn(path.join(file, name)));
}

function removeOld(): void {
  const builds = fs.readdirSync(CACHE).map((name) => path.join(CACHE, name));
  const byAge = builds
    .map((folder) => ({ folder, at: fs.statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((one, other) => other.at - one.at);
  for (const { folder } of byAge.slice(KEPT)) fs.rmSync(folder, { recursive: true, force: true });
}
