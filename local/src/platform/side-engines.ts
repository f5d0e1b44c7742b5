/** The S3 server and the mail catcher. */
import fs from 'node:fs';
import path from 'node:path';
import { PROJECT } from '../layout.ts';
import { Problem } from '../problem.ts';
import type { AnyStep } from '../process/spec.ts';
import { addressesOf, local, S3_REGION } from './addresses.ts';
import { nodeStep } from './node-step.ts';
import type { Platform } from './options.ts';
import { answers, listens } from './probe.ts';
import { processStep } from './step.ts';

export function s3Step(platform: Platform): AnyStep {
  const { engines, dirs, ports, secrets } = platform;
  const { endpoint } = addressesOf(platform).s3;
  return processStep(platform, {
    name: 's3',
    after: [],
    command: engines.s3,
    args: [
      ...['--port', `127.0.0.1:${ports.s3}`, '--region', S3_REGION, '--health', '/health', '--quiet'],
      ...['posix', '--dir-perms', '0700', '--file-perms', '0600', '--versioning-dir', dirs.s3Versions, dirs.s3],
    ],
    env: { ROOT_ACCESS_KEY: secrets.s3AccessKeyId, ROOT_SECRET_KEY: secrets.s3SecretAccessKey, GOGC: '50' },
    address: endpoint,
    prepare() {
      for (const folder of [dirs.s3, dirs.s3Versions]) fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    },
    ready: (signal) => answers(`${endpoint}/health`, signal),
  });
}

export function mailStep(platform: Platform): AnyStep {
  const { dirs, ports } = platform;
  return nodeStep(platform, {
    name: 'mail',
    after: [],
    main: path.join(PROJECT, 'local', 'src', 'mail', 'main.ts'),
    args: [String(ports.smtp), String(ports.mail), dirs.mail],
    env: {},
    address: `${local(ports.mail)} (SMTP ${ports.smtp})`,
    prepare() {
      if (!fs.existsSync(path.join(PROJECT, 'node_modules', 'maildev'))) {
        throw new Problem(
          'the mail catcher is not installed: run npm ci (without --omit=dev and NODE_ENV=production).',
        );
      }
      fs.mkdirSync(dirs.mail, { recursive: true, mode: 0o700 });
    },
    ready: async (signal) =>
      (await answers(`${local(ports.mail)}/api/healthz`, signal)) && (await listens(ports.smtp, signal)),
  });
}
