/**
 * Renders documents as PDF/A, in processes of its own: a page takes tens of milliseconds of a processor, and only the end
 * of a process stops a compiler that loops.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { Tinypool } from 'tinypool';
import { fontsFor } from './fonts.ts';
import type { RenderRequest, RenderResult } from './render-process.ts';
import type { Branding, Templates } from './templates.ts';

export interface RendererOptions {
  /** Documents at the same time, each in a process of 180 to 235 MB. Default: 1. They start with the first document. */
  readonly processes?: number;
  /** More than any document needs, with its time in the queue. Default: 30 s. */
  readonly timeoutMs?: number;
  /** Processes end after this time without work. Default: 60 s. */
  readonly idleMs?: number;
  /** Folder with the templates. Default: the platform's. */
  readonly templates?: string;
}

export interface DocumentOptions {
  readonly branding: Branding;
  /** BCP 47, such as `en-IE` or `ar`. The direction of the document follows it. */
  readonly language: string;
  /** Becomes the file's date. The same input gives the same bytes. */
  readonly createdAt: Date;
}

export interface Rendered {
  readonly pdf: Uint8Array;
  /** Of the bytes, in hexadecimal digits. */
  readonly sha256: string;
  /** Each character that no font has. The document shows its code, such as `[U+1F600]`. */
  readonly missing: readonly string[];
  /** Why the document has no logo, although there is one. */
  readonly logoError: string | undefined;
}

/** Documents that wait. Background tasks render them, and try again. */
const MOST_WAITING = 100;

/** Tinypool's message, as its errors have no code. */
const QUEUE_FULL = 'Task queue is at limit';

/** Too many documents wait, or one took too long. It may succeed later. */
export class RendererBusy extends Error {
  override readonly name = 'RendererBusy';
}

export class Renderer {
  readonly #options: RendererOptions;
  #pool: Tinypool | undefined;

  constructor(options: RendererOptions = {}) {
    this.#options = options;
  }

  /** @throws Error with the template and the compiler's message, RendererBusy. */
  async render<Name extends keyof Templates>(
    template: Name,
    data: Templates[Name],
    { branding, language, createdAt }: DocumentOptions,
  ): Promise<Rendered> {
    const { timeoutMs = 30_000 } = this.#options;
    const { logo, ...texts } = branding;
    const request: RenderRequest = {
      template,
      data: JSON.stringify({ ...data, ...texts, ...languageOf(language) }),
      logo,
      // The file's date has whole seconds.
      createdAt: Math.floor(createdAt.getTime() / 1000),
    };
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const result: RenderResult = await this.#start().run(request, { signal });
      return { ...result, sha256: createHash('sha256').update(result.pdf).digest('hex') };
    } catch (error) {
      // An error of the other process is a plain object.
      if (signal.aborted) throw new RendererBusy(`template ${template}: not rendered within ${timeoutMs} ms`);
      const { message } = error as Error;
      throw new (message === QUEUE_FULL ? RendererBusy : Error)(`template ${template}: ${message}`);
    }
  }

  /** IDs of the processes that exist now. */
  get processes(): readonly number[] {
    return this.#pool?.threads.map(({ threadId }) => threadId) ?? [];
  }

  /** Documents that are being rendered fail. */
  async end(): Promise<void> {
    await this.#pool?.destroy();
    this.#pool = undefined;
  }

  #start(): Tinypool {
    const {
      processes = 1,
      idleMs = 60_000,
      templates = path.join(import.meta.dirname, '..', 'templates'),
    } = this.#options;
    this.#pool ??= new Tinypool({
      runtime: 'child_process',
      filename: new URL('./render-process.ts', import.meta.url).href,
      argv: [templates],
      // None of this process's secrets and options.
      env: {},
      execArgv: [],
      // Bytes as they are.
      serialization: 'advanced',
      minThreads: 0,
      maxThreads: processes,
      idleTimeout: idleMs,
      maxQueue: MOST_WAITING,
    });
    return this.#pool;
  }
}

/** The parts of a tag that Typst takes. It knows countries, and no other regions. */
function languageOf(tag: string) {
  const locale = new Intl.Locale(tag);
  const region = /^[A-Z]{2}$/.exec(locale.region ?? '')?.[0] ?? null;
  const isRightToLeft = locale.getTextInfo().direction === 'rtl';
  return { language: locale.language, region, isRightToLeft, fonts: fontsFor(locale) };
}
