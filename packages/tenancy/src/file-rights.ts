/** What the modules may do with the bucket, as statements of its policy. docs/install.md has the same for users' policies. */
import { FILE_FOLDERS } from './names.ts';

export interface PolicyStatement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Principal: { readonly AWS: readonly string[] };
  readonly Action: readonly string[];
  readonly Resource: readonly string[];
}

/** @param principal of the modules' key: an ARN on AWS, the access key itself on versitygw. */
export function fileRights(bucket: string, principal: string): readonly PolicyStatement[] {
  const allow = (Action: readonly string[], paths: readonly string[]): PolicyStatement => {
    const Resource = paths.map((path) => `arn:aws:s3:::${path}`);
    return { Effect: 'Allow', Principal: { AWS: [principal] }, Action, Resource };
  };
  const folders = FILE_FOLDERS.map((folder) => `${bucket}/*/${folder}/*`);
  return [
    allow(['s3:ListBucket', 's3:ListBucketVersions'], [bucket]),
    allow(
      ['s3:GetObject', 's3:PutObject', 's3:AbortMultipartUpload', 's3:DeleteObject', 's3:DeleteObjectVersion'],
      folders,
    ),
  ];
}
