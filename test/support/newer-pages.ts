/** The server of the pages as a newer release has it: the same files under another version, in a process of the test. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { builtPages, WebProcess } from './web-process.ts';

export class NewerPages {
  readonly build: string;
  readonly #folder: string;
  readonly #web: WebProcess;

  private constructor(build: string, folder: string, web: WebProcess) {
    this.build = build;
    this.#folder = folder;
    this.#web = web;
  }

  get port(): number {
    return this.#web.port;
  }

  static async start(): Promise<NewerPages> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'hms-newer-pages-'));
    fs.cpSync(builtPages(), folder, { recursive: true });
    const version = fs.readFileSync(path.join(folder, 'build.txt'), 'utf8').trim();
    const build = [...version].reverse().join('');
    for (const file of ['build.txt', 'tv-worker.js'].map((name) => path.join(folder, name)))
      fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll(version, build));
    return new NewerPages(build, folder, await WebProcess.start({ WEB_PAGES: folder }));
  }

  async stop(): Promise<void> {
    await this.#web.stop();
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}
