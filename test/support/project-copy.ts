/** A copy of the project's files in a temporary folder, with workspaces of its own. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const PROJECT = path.resolve(import.meta.dirname, '../..');

export class ProjectCopy {
  readonly root = fs.mkdtempSync(path.join(os.tmpdir(), 'hms-project-'));
  readonly #files = execFileSync('git', ['ls-files', '-z'], { cwd: PROJECT, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file && fs.existsSync(path.join(PROJECT, file)));

  /** @param modules whether installed packages are links, or files on their own, for programs that follow links. */
  constructor(modules: 'links' | 'files' = 'links') {
    for (const file of this.#files) this.#copy(file);
    fs.mkdirSync(path.join(this.root, 'node_modules', '@hms'), { recursive: true });
    const installed = fs
      .readdirSync(path.join(PROJECT, 'node_modules'))
      .filter((name) => name !== '@hms' && name !== '.cache');
    const put = (file: string) => (modules === 'links' ? this.#link(file) : this.#copyAll(file));
    for (const name of installed) put(`node_modules/${name}`);
    for (const folder of fs.globSync(['{packages,services}/*/node_modules', '{cli,web}/node_modules'], {
      cwd: PROJECT,
    }))
      put(folder);
    for (const file of fs.globSync('{packages,services}/*/package.json', { cwd: PROJECT })) this.linkWorkspace(file);
    for (const workspace of ['operator', 'local', 'cli']) this.linkWorkspace(`${workspace}/package.json`);
  }

  /** @returns the project's files that are different here, without links to them. */
  changedFiles(): string[] {
    const files = this.#files.filter((file) => !fs.lstatSync(path.join(PROJECT, file)).isSymbolicLink());
    return files.filter((file) => !fs.readFileSync(path.join(PROJECT, file)).equals(this.#bytes(file)));
  }

  read(file: string): string {
    return this.#bytes(file).toString();
  }

  write(file: string, text: string): void {
    fs.mkdirSync(path.dirname(path.join(this.root, file)), { recursive: true });
    fs.writeFileSync(path.join(this.root, file), text);
  }

  /** Runs the work while a file is as in the project. */
  without<T>(file: string, work: () => T): T {
    const text = this.read(file);
    this.#copy(file);
    try {
      return work();
    } finally {
      this.write(file, text);
    }
  }

  /** Makes a workspace importable, as `npm install` does. */
  linkWorkspace(manifest: string): void {
    const { name } = JSON.parse(this.read(manifest));
    fs.symlinkSync(path.join(this.root, path.dirname(manifest)), path.join(this.root, 'node_modules', name));
  }

  remove(): void {
    fs.rmSync(this.root, { recursive: true, force: true });
  }

  #bytes(file: string): Buffer {
    return fs.readFileSync(path.join(this.root, file));
  }

  #copy(file: string): void {
    fs.cpSync(path.join(PROJECT, file), path.join(this.root, file), { verbatimSymlinks: true });
  }

  /** Without their bytes, where the file system can do that. */
  #copyAll(file: string): void {
    const [from, to] = [path.join(PROJECT, file), path.join(this.root, file)];
    const isSame = fs.statSync(from).dev === fs.statSync(this.root).dev;
    execFileSync('cp', [isSame ? '-al' : '-a', from, to]);
  }

  #link(file: string): void {
    fs.symlinkSync(path.join(PROJECT, file), path.join(this.root, file));
  }
}
