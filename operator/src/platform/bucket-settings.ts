import {
  DeleteBucketLifecycleCommand,
  DeleteBucketPolicyCommand,
  DeleteBucketWebsiteCommand,
  GetBucketAclCommand,
  GetBucketLifecycleConfigurationCommand,
  GetBucketPolicyCommand,
  GetBucketWebsiteCommand,
  type Grant,
  type LifecycleRule,
  PutBucketAclCommand,
  PutBucketLifecycleConfigurationCommand,
  PutBucketPolicyCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import type { Change } from '../backends/backend.ts';
import { policyChange } from './bucket-policy.ts';
import type { Foreign } from './foreign.ts';

export interface CloseOptions {
  /** Principal of the modules' key in the bucket's policy, or undefined if it gets its rights elsewhere. */
  readonly modules: string | undefined;
  /** Called at each check with what the operator can't restore. */
  readonly onForeign: (foreign: readonly Foreign[]) => void;
}

/**
 * Removes settings of the bucket that expose or delete files, and restores the rights of the modules. Skips settings that the server does not support or the
 * operator's key may not read. @returns the changes.
 */
export async function closeBucket(
  s3: S3Client,
  Bucket: string,
  { modules, onForeign }: CloseOptions,
): Promise<Change[]> {
  const target = { Bucket };
  const [policy, acl, website, lifecycle] = await Promise.all([
    ifThere(() => s3.send(new GetBucketPolicyCommand(target))),
    ifThere(() => s3.send(new GetBucketAclCommand(target))),
    ifThere(() => s3.send(new GetBucketWebsiteCommand(target))),
    ifThere(() => s3.send(new GetBucketLifecycleConfigurationCommand(target))),
  ]);
  const changes: Change[] = [];
  const change = async (detail: string, work: Promise<unknown>) => {
    await work;
    changes.push({ action: 'update', object: `bucket ${Bucket}`, detail });
  };
  const wanted = policyChange(policy?.Policy, Bucket, modules);
  if (wanted) {
    const { policy: Policy } = wanted;
    const command = Policy
      ? s3.send(new PutBucketPolicyCommand({ ...target, Policy }))
      : s3.send(new DeleteBucketPolicyCommand(target));
    await change(wanted.detail, command);
  }
  const isModules = modules !== undefined && acl?.Owner?.ID === modules;
  // The owner of a bucket may change everything in it, and S3 has no request that changes the owner.
  onForeign(isModules ? [{ kind: 'bucket', message: `bucket ${Bucket} belongs to the key of the modules` }] : []);
  if (isShared(acl?.Owner?.ID, acl?.Grants)) {
    await change('access for others', s3.send(new PutBucketAclCommand({ ...target, ACL: 'private' })));
  }
  if (website) await change('website', s3.send(new DeleteBucketWebsiteCommand(target)));
  const rules = lifecycle?.Rules ?? [];
  const kept = rulesThatKeepFiles(rules);
  if (kept.length < rules.length) {
    const command =
      kept.length > 0
        ? s3.send(new PutBucketLifecycleConfigurationCommand({ ...target, LifecycleConfiguration: { Rules: kept } }))
        : s3.send(new DeleteBucketLifecycleCommand(target));
    await change('rules that delete files', command);
  }
  return changes;
}

/** Filters out rules that delete the current version of a file. Older versions may expire. Pure. */
export function rulesThatKeepFiles(rules: readonly LifecycleRule[]): LifecycleRule[] {
  return rules.filter(({ Expiration }) => Expiration?.Days === undefined && Expiration?.Date === undefined);
}

function isShared(owner: string | undefined, grants: readonly Grant[] = []): boolean {
  return grants.some(({ Grantee }) => Grantee?.ID !== owner);
}

/** Missing, not implemented, or not allowed. */
const NOTHING_TO_SEE: readonly unknown[] = [403, 404, 405, 501];

async function ifThere<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof S3ServiceException && NOTHING_TO_SEE.includes(error.$metadata.httpStatusCode))
      return undefined;
    throw error;
  }
}
