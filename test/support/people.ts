/** People of one test only. The demonstration users also get the codes of logins in other suites. */
import { randomUUID } from 'node:crypto';
import { asKeycloakAdmin } from './keycloak-admin.ts';

export interface TestPerson {
  readonly email: string;
  readonly password: string;
  remove(): Promise<void>;
}

/** Creates a person without a role. @param realm of a hospital, or `console`. */
export async function testPerson(realm: string): Promise<TestPerson> {
  const [email, password] = [`p${randomUUID()}@${realm}.example`, `Test-1-${randomUUID()}`];
  const { users } = await asKeycloakAdmin();
  const { id } = await users.create({
    ...{ realm, username: email, email, emailVerified: true, firstName: 'Test', lastName: 'Person' },
    ...{ enabled: true, credentials: [{ type: 'password', value: password }] },
  });
  const remove = async () => (await asKeycloakAdmin()).users.del({ realm, id });
  return { email, password, remove };
}
