/** The mail catcher. */
import fs from 'node:fs';
import path from 'node:path';
import { PROJECT } from '../layout.ts';
import { Problem } from '../problem.ts';
import type { AnyStep } from '../process/spec.ts';
import { local } from './addresses.ts';
import { nodeStep } from './node-step.ts';
import type { Platform } from './options.ts';
import { answers, listens } from './probe.ts';

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
