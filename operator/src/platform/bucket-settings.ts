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

/**
 * Removes settings of the bucket that expose or delete files. Skips settings that the server does not support or the
 * operator's key may not read. @returns the changes.
 */
export async function closeBucket(s3: S3Client, Bucket: string): Promise<Change[]> {
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
  if (isPublic(policy?.Policy)) {
    const Policy = withoutPublic(policy?.Policy);
    const command = Policy
      ? s3.send(new PutBucketPolicyCommand({ ...target, Policy }))
      : s3.send(new DeleteBucketPolicyCommand(target));
    await change('public policy', command);
  }
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

/** Whether a bucket policy admits everybody. Pure. */
export function isPublic(policy: string | undefined): boolean {
  return statementsOf(policy).some(admitsEverybody);
}

/** The policy without the statements that admit everybody, or undefined if nothing else is in it. Pure. */
export function withoutPublic(policy: string | undefined): string | undefined {
  const Statement = statementsOf(policy).filter((statement) => !admitsEverybody(statement));
  return policy && Statement.length > 0 ? JSON.stringify({ ...JSON.parse(policy), Statement }) : undefined;
}

function statementsOf(policy: string | undefined): readonly Statement[] {
  if (!policy) return [];
  const { Statement = [] } = JSON.parse(policy) as { readonly Statement?: Statement | readonly Statement[] };
  return [Statement].flat();
}

function admitsEverybody({ Effect, Principal, NotPrincipal }: Statement): boolean {
  const principals =
    typeof Principal === 'object' && Principal !== null ? Object.values(Principal).flat() : [Principal];
  return Effect === 'Allow' && (NotPrincipal !== undefined || principals.includes('*'));
}

/** Filters out rules that delete the current version of a file. Older versions may expire. Pure. */
export function rulesThatKeepFiles(rules: readonly LifecycleRule[]): LifecycleRule[] {
  return rules.filter(({ Expiration }) => Expiration?.Days === undefined && Expiration?.Date === undefined);
}

interface Statement {
  readonly Effect?: string;
  readonly Principal?: unknown;
  /** Everybody but these. */
  readonly NotPrincipal?: unknown;
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
