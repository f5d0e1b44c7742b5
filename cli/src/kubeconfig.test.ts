import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { kubeConfig, mergedKubeConfig } from './kubeconfig.ts';
import { freshFolder } from './testing.ts';

/** A kubeconfig whose cluster, user and context have one name. */
function kubeconfig(name: string, server: string, current = ''): string {
  const file = path.join(freshFolder(), 'config');
  const lines = [
    'apiVersion: v1',
    'kind: Config',
    `current-context: "${current}"`,
    `clusters: [{name: ${name}, cluster: {server: "${server}", certificate-authority: ca.crt}}]`,
    `users: [{name: ${name}, user: {client-certificate: user.crt, client-key: user.key}}]`,
    `contexts: [{name: ${name}, context: {cluster: ${name}, user: ${name}}}]`,
  ];
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

describe('KUBECONFIG with several files', () => {
  it('skips files that do not exist, and empty ones', () => {
    const empty = path.join(freshFolder(), 'empty');
    fs.writeFileSync(empty, '');
    const file = kubeconfig('a', 'https://a', 'a');
    expect(mergedKubeConfig(`/no/such/config:${empty}::${file}`).getCurrentCluster()?.server).toBe('https://a');
  });

  it('takes the current context from the first that sets it, and each name from the first that has it', () => {
    const files = [
      kubeconfig('a', 'https://a'),
      kubeconfig('b', 'https://b', 'b'),
      kubeconfig('a', 'https://other', 'a'),
    ];
    const config = mergedKubeConfig(files.join(':'));
    expect(config.getCurrentCluster()?.server).toBe('https://b');
    expect(config.getCluster('a')?.server).toBe('https://a');
  });

  it('finds the certificates of each next to its own file', () => {
    const [a, b] = [kubeconfig('a', 'https://a', 'a'), kubeconfig('b', 'https://b')];
    const config = mergedKubeConfig(`${a}:${b}`);
    expect(config.getCluster('b')?.caFile).toBe(path.join(path.dirname(b), 'ca.crt'));
    expect(config.getUser('a')?.certFile).toBe(path.join(path.dirname(a), 'user.crt'));
    expect(config.getUser('b')?.keyFile).toBe(path.join(path.dirname(b), 'user.key'));
  });
});

describe('a kubeconfig', () => {
  const before = process.env.KUBECONFIG;
  afterEach(() => {
    if (before === undefined) delete process.env.KUBECONFIG;
    else process.env.KUBECONFIG = before;
  });

  it.each<[string, string, string | undefined, RegExp]>([
    ['that does not exist', '/no/such/config', undefined, /KUBECONFIG names \/no\/such\/config, which does not exist/],
    ['of which none exists', '/no/a:/no/b', undefined, /KUBECONFIG names \/no\/a and \/no\/b, which do not exist/],
    ['without a context', kubeconfig('a', 'https://a'), undefined, /has no current-context: .*\(contexts: a\)/],
    ['with a wrong context', kubeconfig('a', 'https://a', 'b'), undefined, /current-context b, which has no cluster/],
    ['of --kubeconfig that does not exist', '', '/no/c', /The kubeconfig \/no\/c can't be read \(ENOENT/],
    ['with an empty name', '', '', /--kubeconfig is empty: name a kubeconfig/],
  ])('%s is refused with a message', (_what, variable, file, why) => {
    process.env.KUBECONFIG = variable;
    expect(() => kubeConfig({ kubeconfig: file })).toThrow(why);
  });
});
