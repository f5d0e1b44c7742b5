/** Settings of the S3 server, from the environment. docs/configuration.md lists them. */
import { z } from 'zod';

const address = z.url({ protocol: /^https?$/ }).regex(/[^/]$/, 'must not end with a slash');

export const S3_SETTINGS = {
  S3_ENDPOINT: address,
  /** Where browsers reach the S3 server. Default: S3_ENDPOINT. */
  S3_PUBLIC_ENDPOINT: address.optional(),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_BUCKET: z.string().min(1).default('hms'),
  S3_ACCESS_KEY_ID: z.string().min(1),
  S3_SECRET_ACCESS_KEY: z.string().min(1),
};

export type S3Settings = z.output<z.ZodObject<typeof S3_SETTINGS>>;
