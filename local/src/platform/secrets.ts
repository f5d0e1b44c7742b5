/** Secrets of one platform: random, generated once, readable only by their owner. */
import { randomBytes } from 'node:crypto';
import { forEachRole } from '@hms/tenancy';
import { z } from 'zod';
import { madeOnce } from '../files.ts';
import { Problem } from '../problem.ts';

const secret = z.string().min(16);

const schema = z.object({
  postgresAdmin: secret,
  postgresKeycloak: secret,
  postgresOperator: secret,
  /** Of the roles of the modules. */
  postgresModules: z.object(forEachRole(() => secret)),
  keycloakAdmin: secret,
  keycloakOperator: secret,
  kubernetesAdmin: secret,
  kubernetesOperator: secret,
  s3AccessKeyId: secret,
  s3SecretAccessKey: secret,
  s3ModulesAccessKeyId: secret,
  s3ModulesSecretAccessKey: secret,
  /** Password of the demonstration users. */
  demonstration: secret,
});

export type Secrets = z.infer<typeof schema>;

export async function readSecrets(file: string): Promise<Secrets> {
  const text = await madeOnce(file, () => {
    const random = (bytes: number) => randomBytes(bytes).toString('base64url');
    const secrets = Object.fromEntries(Object.keys(schema.shape).map((name) => [name, random(24)]));
    // Typed by people: shorter, and with the characters that password policies require.
    const postgresModules = forEachRole(() => random(24));
    return `${JSON.stringify({ ...secrets, postgresModules, demonstration: `Demo-1-${random(9)}` }, null, 2)}\n`;
  });
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new Problem(
      `${file} can't be used: restore its copy, or start again with make reset, which deletes the data.`,
    );
  }
}
