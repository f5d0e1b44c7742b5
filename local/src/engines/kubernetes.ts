/** kube-apiserver and etcd. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Layout, logFile, PROJECT } from '../layout.ts';
import type { Progress, Report } from '../report.ts';
import { obtain, type Source } from './cache.ts';
import { findOnPath, inTurn, run } from './command.ts';
import { download } from './download.ts';
import { envtestArchive, PINS } from './pins.ts';

export interface Kubernetes {
  readonly apiserver: string;
  readonly etcd: string;
}

export async function obtainKubernetes(cache: string, dirs: Layout, report: Report): Promise<Kubernetes> {
  return (await installed(report)) ?? binariesIn(await obtain(cache, wanted(dirs), report));
}

function binariesIn(folder: string): Kubernetes {
  return { apiserver: path.join(folder, 'kube-apiserver'), etcd: path.join(folder, 'etcd') };
}

/** From KUBEBUILDER_ASSETS, otherwise from PATH, if it has the minor version that the platform uses. */
async function installed(report: Report): Promise<Kubernetes | undefined> {
  const assets = process.env.KUBEBUILDER_ASSETS;
  const onPath = { apiserver: findOnPath('kube-apiserver'), etcd: findOnPath('etcd') };
  const binaries = assets ? binariesIn(assets) : onPath;
  if (!binaries.apiserver || !binaries.etcd) return undefined;
  const where = assets ? 'KUBEBUILDER_ASSETS' : 'PATH';
  try {
    const { stdout } = await promisify(execFile)(binaries.apiserver, ['--version']);
    await promisify(execFile)(binaries.etcd, ['--version']);
    const minor = PINS.kubernetes.replace(/\.\d+$/, '');
    if (stdout.includes(`v${minor}.`)) return { apiserver: binaries.apiserver, etcd: binaries.etcd };
    report.note(`${where} has ${stdout.trim()}, not ${minor}: it is ignored`);
  } catch {
    report.note(`${where} has no kube-apiserver and etcd that can be run: it is ignored`);
  }
  return undefined;
}

function wanted(dirs: Layout) {
  const archive = envtestArchive(process);
  const log = logFile(dirs, 'build-kubernetes');
  const fetched: Source = {
    doing: `downloading kube-apiserver and etcd (Kubernetes ${PINS.envtest})`,
    async fill(into, progress) {
      if (!archive) throw new Error(`nothing is published for ${process.platform} on ${process.arch}`);
      const file = path.join(into, 'envtest.tar.gz');
      await download(archive, file, progress);
      // The archive's files are in controller-tools/envtest/.
      await run('tar', ['-xzf', file, '-C', into, '--strip-components=2'], { log, progress });
      fs.rmSync(file);
    },
  };
  const built: Source = {
    doing: `building kube-apiserver ${PINS.kubernetes} and etcd ${PINS.etcd} with Go (minutes, once)`,
    async fill(into, progress) {
      const go = findOnPath('go');
      if (!go) throw new Error('there is no go on PATH');
      const version = 'k8s.io/component-base/version';
      const [major, minor] = PINS.kubernetes.split('.');
      const flags = `-s -w -X ${version}.gitVersion=v${PINS.kubernetes} -X ${version}.gitMajor=${major} -X ${version}.gitMinor=${minor}`;
      const build = goBuild({ go, into, log, progress });
      await build('etcd', '-s -w', 'go.etcd.io/etcd/server/v3');
      await build('kube-apiserver', flags, 'k8s.io/kubernetes/cmd/kube-apiserver');
    },
  };
  return {
    folder: `kubernetes-${PINS.kubernetes}-${process.platform}-${process.arch}`,
    title: `kube-apiserver ${PINS.kubernetes} with etcd`,
    advice:
      'Allow downloads from github.com, or install Go (https://go.dev/dl), or set KUBEBUILDER_ASSETS to a folder with kube-apiserver and etcd.',
    sources: [fetched, built],
  };
}

/**
 * Builds in the module under local/engines that pins the program's version and its dependencies. Reports each package.
 */
function goBuild({ go, into, log, progress }: { go: string; into: string; log: string; progress: Progress }) {
  return (program: string, flags: string, pkg: string): Promise<void> => {
    const cwd = path.join(PROJECT, 'local', 'engines', program);
    const args = ['build', '-v', '-ldflags', flags, '-o', path.join(into, program), pkg];
    return inTurn(progress, () => run(go, args, { cwd, log, progress }));
  };
}
