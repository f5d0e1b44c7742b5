/** For tests: issued files, and attempts at them as processes make them that know nothing of each other. */
import { createHash } from 'node:crypto';
import { ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { listTasks } from '@hms/database';
import { type Task, type TaskContext, workFor } from '@hms/service';
import type { TestHospital, TestModule } from '@hms/service/testing';
import { hospitalNames } from '@hms/tenancy';
import { platform } from '../../../../../test/platform.ts';
import { until } from '../../../../../test/support/until.ts';

export const hashOf = (pdf: Buffer) => createHash('sha256').update(pdf).digest('hex');
export const download = async ({ url }: { readonly url: string }) =>
  Buffer.from(await (await fetch(url)).arrayBuffer());

/** Ids of the hospitals that have issued a file. */
export async function issuedBy(hms: TestModule, sha256: string): Promise<string[]> {
  const rows = await hms.operator.withSchema('platform').from('issued_documents').where({ sha256 }).select();
  return rows.map(({ hospital_id }) => hospital_id);
}

export async function tasksOf(hms: TestModule, { hospital: { prefix } }: TestHospital, name: string) {
  return (await listTasks(hms.operator, { hospital: prefix })).filter(({ task }) => task === name);
}

/** Keys of the objects in a folder of the hospital, also of those that have only old versions. */
export async function objectsIn({ hospital: { prefix } }: TestHospital, folder: string): Promise<string[]> {
  const { s3 } = platform();
  const admin = new S3Client({ ...s3, forcePathStyle: true, credentials: s3 });
  const Prefix = `${prefix}/${folder}/`;
  const { Versions = [] } = await admin.send(new ListObjectVersionsCommand({ Bucket: s3.bucket, Prefix }));
  admin.destroy();
  // A repeated attempt stores the same object again, as another version.
  return [...new Set(Versions.flatMap(({ Key }) => Key ?? []))];
}

/** Attempts at one file. */
export function attemptsAt<Input>(
  hms: TestModule,
  { hospital }: TestHospital,
  task: Task<Input>,
  input: Input,
): { prepare(): Promise<unknown>; run(prepared: unknown): Promise<void> } {
  const inTransaction: TaskContext['inTransaction'] = (work) => workFor(hms.platform, hospital, task.name, work);
  const context = { hospital, log: hms.platform.log, signal: new AbortController().signal, inTransaction };
  return {
    prepare: () => task.prepare(context, input),
    run: (prepared) => inTransaction((work) => task.run(work, input, prepared)),
  };
}

/** Makes something whose file nobody has stored yet, as if no process had begun its task. */
export async function withoutFile<Made>(
  hms: TestModule,
  hospital: TestHospital,
  task: string,
  make: () => Promise<Made>,
): Promise<Made> {
  const { schema } = hospitalNames(hospital.hospital.prefix);
  const table = `${schema}.issued_file_drafts`;
  await hms.operator.raw(`ALTER TABLE ${table} ADD CONSTRAINT broken CHECK (false) NOT VALID`);
  const made = await make();
  await until(
    'a failed attempt',
    () => tasksOf(hms, hospital, task),
    (all) => all.length > 0 && all.every(({ lastError }) => lastError != null),
  );
  await hms.operator.raw(`ALTER TABLE ${table} DROP CONSTRAINT broken`);
  return made;
}
