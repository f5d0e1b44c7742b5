/** The S3 server, with an account for the modules. */
import fs from 'node:fs';
import path from 'node:path';
import { fileRights } from '@hms/tenancy';
import type { AnyStep } from '../process/spec.ts';
import { type Addresses, addressesOf, S3_REGION } from './addresses.ts';
import type { Platform } from './options.ts';
import { answers } from './probe.ts';
import { processStep } from './step.ts';

export function s3Steps(platform: Platform): AnyStep[] {
  const { engines, dirs, ports, secrets } = platform;
  const { s3 } = addressesOf(platform);
  const step = processStep(platform, {
    name: 's3',
    after: [],
    command: engines.s3,
    args: [
      ...['--port', `127.0.0.1:${ports.s3}`, '--region', S3_REGION, '--health', '/health', '--quiet'],
      ...['--iam-dir', dirs.s3Accounts],
      ...['posix', '--dir-perms', '0700', '--file-perms', '0600', '--versioning-dir', dirs.s3Versions, dirs.s3],
    ],
    env: { ROOT_ACCESS_KEY: secrets.s3AccessKeyId, ROOT_SECRET_KEY: secrets.s3SecretAccessKey, GOGC: '50' },
    address: s3.endpoint,
    prepare() {
      for (const folder of [dirs.s3, dirs.s3Versions, dirs.s3Accounts]) {
        fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      }
      const accounts = path.join(dirs.s3Accounts, 'users.json');
      fs.writeFileSync(accounts, JSON.stringify(accountsOf(s3.modules)), { mode: 0o600 });
    },
    ready: (signal) => answers(`${s3.endpoint}/health`, signal),
  });
  return [step, { kind: 'task', name: 's3-account', after: ['s3'], run: () => allowModules(s3) }];
}

/** In the form of versitygw. An account of the role `user` may do what a bucket policy allows. */
function accountsOf({ accessKeyId, secretAccessKey }: Addresses['s3']['modules']) {
  return { accessAccounts: { [accessKeyId]: { access: accessKeyId, secret: secretAccessKey, role: 'user' } } };
}

/** Lets the modules use the files of hospitals, and nothing else. The operator keeps the bucket as it should be. */
async function allowModules({ modules, bucket: Bucket, accessKeyId, secretAccessKey, ...s3 }: Addresses['s3']) {
  // Loaded only here, because it takes longer to load than the rest of hmsctl.
  const { CreateBucketCommand, PutBucketPolicyCommand, S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client({ ...s3, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } });
  try {
    await client.send(new CreateBucketCommand({ Bucket })).catch((error: Error) => {
      if (error.name !== 'BucketAlreadyOwnedByYou') throw error;
    });
    const Statement = fileRights(Bucket, modules.accessKeyId);
    const Policy = JSON.stringify({ Version: '2012-10-17', Statement });
    await client.send(new PutBucketPolicyCommand({ Bucket, Policy }));
  } finally {
    client.destroy();
  }
}
