import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { EXIT } from './exit.ts';
import { hospitalsIn, readHospitals } from './manifests.ts';
import { freshFolder, hmsctl } from './testing.ts';

const hospital = (name: string, own = '') =>
  `apiVersion: hms.dev/v1\nkind: Hospital\nmetadata: {name: ${name}}\nspec: {displayName: ${name}}\n${own}`;

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = freshFolder();
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

async function namesIn(filenames: readonly string[], recursive = false): Promise<string[]> {
  return (await readHospitals(filenames, recursive)).map(({ manifest }) => manifest.metadata.name);
}

describe('manifests', () => {
  it('are read from every -f, in order', async () => {
    const folder = folderOf({ 'b.yaml': hospital('b-one'), 'a.yaml': hospital('a-one') });
    expect(await namesIn([path.join(folder, 'b.yaml'), path.join(folder, 'a.yaml')])).toEqual(['b-one', 'a-one']);
  });

  it('are read from a folder, sorted, and with -R from its subfolders', async () => {
    const folder = folderOf({
      'b.yml': hospital('b-one'),
      'a.yaml': hospital('a-one'),
      'c.json': JSON.stringify({ apiVersion: 'hms.dev/v1', kind: 'Hospital', metadata: { name: 'c-one' }, spec: {} }),
      'README.md': '# not a manifest',
      'more/d.yaml': hospital('d-one'),
    });
    expect(await namesIn([folder])).toEqual(['a-one', 'b-one', 'c-one']);
    expect(await namesIn([folder], true)).toEqual(['a-one', 'b-one', 'c-one', 'd-one']);
  });

  it.each([
    ['several documents', `---\n${hospital('a-one')}---\n${hospital('b-one')}---\n`],
    ['a List', JSON.stringify({ kind: 'List', items: ['a-one', 'b-one'].map(object) })],
    [
      'a HospitalList, as an API server prints it',
      JSON.stringify({ kind: 'HospitalList', items: ['a-one', 'b-one'].map(object) }),
    ],
    ['an array, as hospital list prints it', JSON.stringify(['a-one', 'b-one'].map(object))],
  ])('may be %s', (_what, text) => {
    const { manifests, problems } = hospitalsIn(text, 'x.yaml');
    expect(problems).toEqual([]);
    expect(manifests.map(({ manifest }) => manifest.metadata.name)).toEqual(['a-one', 'b-one']);
  });

  it('omit fields of the API server', () => {
    const server = { uid: 'u', resourceVersion: '7', managedFields: [{}], creationTimestamp: 't', finalizers: ['x'] };
    const printed = { ...object('a-one'), metadata: { name: 'a-one', labels: { a: 'b' }, ...server }, status: {} };
    expect(hospitalsIn(JSON.stringify(printed), 'x').manifests[0]?.manifest).toEqual({
      ...object('a-one'),
      metadata: { name: 'a-one', labels: { a: 'b' } },
    });
  });

  it('omit one-time annotations', () => {
    const annotations = { 'hms.dev/confirm-delete': 'a-one', 'kubectl.kubernetes.io/last-applied-configuration': '{}' };
    const printed = (own: object) => ({ ...object('a-one'), metadata: { name: 'a-one', annotations: own } });
    const read = (own: object) => hospitalsIn(JSON.stringify(printed(own)), 'x').manifests[0]?.manifest;
    expect(read(annotations)).toEqual(object('a-one'));
    expect(read({ ...annotations, note: 'kept' })).toEqual(printed({ note: 'kept' }));
  });

  it('that are invalid are all named, with file and document', async () => {
    const folder = folderOf({
      'a.yaml': `${hospital('a-one')}---\nkind: Secret\napiVersion: v1\n---\nfalse\n`,
      'b.yaml': 'a: [',
      'c.yaml': hospital('a-one'),
      'd.yaml': 'kind: Hospital\napiVersion: hms.dev/v1\nmetadata: {}\n',
      'e.yaml': '# nothing\n',
      'f.yaml': hospital('../../../../api/v1/namespaces/default/configmaps/x'),
      'g.yaml': hospital('..'),
    });
    const file = (name: string) => path.join(folder, name);
    const { message } = (await readHospitals([folder]).catch((error: unknown) => error)) as Error;
    expect(message.split('\n')).toEqual([
      'nothing was applied.',
      `${file('a.yaml')}, document 2: has kind Secret and apiVersion v1; write kind: Hospital and apiVersion: hms.dev/v1, and use kubectl for other kinds.`,
      `${file('a.yaml')}, document 3: is false, not a Kubernetes object.`,
      expect.stringContaining(`${file('b.yaml')}: is not YAML: `),
      `${file('d.yaml')}: has no metadata.name: write the hospital's prefix there.`,
      `${file('e.yaml')}: has no hospital; see crds/samples for one.`,
      expect.stringMatching(/f\.yaml: metadata.name "[./a-z0-9]+" can't be a hospital's prefix/),
      expect.stringMatching(/g\.yaml: metadata.name "\.\." can't be a hospital's prefix/),
      `${file('c.yaml')}: hospital a-one is also in ${file('a.yaml')}, document 1; keep one of them.`,
    ]);
  });

  it.each([
    ['an endless file', '/dev/zero', /is larger than 4 MB/],
    ['a missing file', '/no/such/file.yaml', /"\/no\/such\/file.yaml" can't be read \(ENOENT\)/],
    ['no name', '', /"" can't be read/],
  ])('are a usage error if -f names %s', async (_what, file, why) => {
    await expect(readHospitals([file])).rejects.toMatchObject({
      code: EXIT.usage,
      message: expect.stringMatching(why),
    });
  });

  it.each([
    ['nested too deeply', '['.repeat(100_000)],
    ['that grow by aliases', `a: &a [1,1,1,1,1,1,1,1,1]\n${aliases(8)}`],
  ])('%s are refused', (_what, text) => {
    expect(hospitalsIn(text, 'x.yaml')).toMatchObject({
      manifests: [],
      problems: [expect.stringContaining('x.yaml: ')],
    });
  });
});

describe('hmsctl hospital apply -f -', () => {
  // Node gives a child non-blocking pipes: a synchronous read of an empty one fails.
  it('reads a slow pipe', async () => {
    const input = `${'# a comment of some length\n'.repeat(50_000)}kind: Wrong\n`;
    expect(await hmsctl(['hospital', 'apply', '-f', '-'], { input })).toMatchObject({
      code: EXIT.failure,
      stderr: expect.stringContaining('standard input: has kind Wrong'),
    });
  });

  it('stops reading at the limit', async () => {
    expect(await hmsctl(['hospital', 'apply', '-f', '-'], { input: '#'.repeat(5 * 1024 * 1024) })).toMatchObject({
      code: EXIT.usage,
      stderr: expect.stringContaining('standard input is larger than 4 MB'),
    });
  });

  it('reports empty input', async () => {
    expect(await hmsctl(['hospital', 'apply', '-f', '-'])).toMatchObject({
      code: EXIT.failure,
      stderr: expect.stringContaining('standard input: has no hospital'),
    });
  });
});

function object(name: string): object {
  return { apiVersion: 'hms.dev/v1', kind: 'Hospital', metadata: { name }, spec: { displayName: name } };
}

/** Each line is nine times the line before. */
function aliases(count: number): string {
  const names = 'abcdefghij';
  const line = (index: number) => `${names[index + 1]}: &${names[index + 1]} [${`*${names[index]},`.repeat(9)}]\n`;
  return Array.from({ length: count }, (_, index) => line(index)).join('');
}
