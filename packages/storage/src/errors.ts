/** What went wrong with the S3 server. */
import { S3ServiceException } from '@aws-sdk/client-s3';

/** The S3 server does not answer in time, or does not do what it is asked. Nothing can be said about the object. */
export class StorageUnavailable extends Error {
  constructor(message: string, cause: unknown) {
    super(message, { cause });
    this.name = 'StorageUnavailable';
  }
}

/** Any failure of a call, as a sentence for the log. */
export function unavailable(error: unknown): StorageUnavailable {
  if (error instanceof S3ServiceException && error.$metadata.httpStatusCode !== undefined) {
    const sentence = `the S3 server answered ${error.$metadata.httpStatusCode} ${error.name}: ${error.message}`;
    return new StorageUnavailable(sentence, error);
  }
  const { name, message } = error as Error;
  return new StorageUnavailable(`the S3 server can't be used: ${name}: ${message}`, error);
}

/** Whether the object does not exist. A missing bucket is a failure instead. */
export function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && (error.name === 'NotFound' || error.name === 'NoSuchKey');
}
