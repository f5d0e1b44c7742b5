/** What people may do: a role template made in the console, given by a hospital, and narrowed by its owner. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { platform } from '../platform.ts';
import { logIn, overflow, Scene, violations } from '../support/browser.ts';
import { asKeycloakAdmin } from '../support/keycloak-admin.ts';
import { codesTo } from '../support/mails.ts';
import { type TestPerson, testPerson } from '../support/people.ts';
import { until } from '../support/until.ts';

const NAME = `WARD_CLERK_${Date.now()}`;
const SHOWN = `Ward clerk ${NAME.split('_')[2]}`;

let scene: Scene;
let admin: TestPerson;
let consolePage: Page;
let owner: Page;

beforeAll(async () => {
  [scene, admin] = await Promise.all([Scene.start("St. Mary's Hospital"), consoleAdmin()]);
  owner = await scene.loggedIn('OWNER');
}, 180_000);
afterAll(async () => {
  await scene?.stop();
  await admin?.remove();
});

/** A platform administrator of this suite only, who gets no codes of other suites. */
async function consoleAdmin(): Promise<TestPerson> {
  const person = await testPerson('console');
  const { users, roles } = await asKeycloakAdmin();
  const [found] = await users.find({ realm: 'console', email: person.email, exact: true });
  const role = await roles.findOneByName({ realm: 'console', name: 'PLATFORM_ADMIN' });
  if (!role?.id || !role.name) throw new Error('the realm console has no role PLATFORM_ADMIN');
  const mapping = { id: role.id, name: role.name };
  await users.addRealmRoleMappings({ realm: 'console', id: found?.id ?? '', roles: [mapping] });
  return person;
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

describe('a platform administrator', () => {
  it('logs in to the console with a code', async () => {
    consolePage = await (await scene.context()).newPage();
    await consolePage.goto(`http://console.${platform().domain}:${platform().ports.gateway}/`);
    await logIn(consolePage, admin.email, admin.password);
    const [code = ''] = await until(
      'a code',
      () => codesTo(admin.email),
      ({ length }) => length > 0,
    );
    await consolePage.getByLabel('Code', { exact: true }).fill(code);
    await consolePage.keyboard.press('Enter');
    await consolePage.getByRole('link', { name: 'Role templates' }).click();
    await heading(consolePage, 'Role templates').waitFor();
    await consolePage.getByRole('link', { name: 'Doctor' }).click();
    await consolePage.getByText('This role belongs to every platform.').waitFor();
    expect(await violations(consolePage)).toEqual([]);
  });

  it('creates a role for every hospital by keyboard', async () => {
    await consolePage.getByRole('link', { name: 'Role templates' }).click();
    await consolePage.getByRole('link', { name: 'New role template' }).press('Enter');
    await heading(consolePage, 'New role template').waitFor();
    await consolePage.keyboard.type('ward clerk');
    await consolePage.keyboard.press('Control+Enter');
    await consolePage.getByText('Write capitals, digits and underscores').waitFor();
    await consolePage.getByRole('textbox', { name: 'Name' }).fill(NAME);
    await consolePage.keyboard.press('Enter');
    await consolePage.keyboard.type('Keeps the files of a ward');
    for (const permission of ['See patients and their history', 'See documents', 'See employees'])
      await consolePage.getByLabel(permission).press('Space');
    expect(await violations(consolePage)).toEqual([]);
    await consolePage.keyboard.press('Control+Enter');
    await consolePage.getByRole('link', { name: SHOWN }).waitFor();
    expect(await violations(consolePage)).toEqual([]);
    await consolePage.getByRole('link', { name: 'Audit log' }).click();
    await consolePage.getByText('Role template', { exact: true }).first().waitFor();
    expect(await violations(consolePage)).toEqual([]);
  });
});

describe('an owner', () => {
  const email = `rita-${Date.now()}@st-mary.example`;

  it('hires somebody with the new role, whose account gets it', async () => {
    await owner.goto(`${scene.origin}/employees/new`);
    await owner.getByLabel('First name').fill('Rita');
    await owner.getByLabel('Last name').fill('Roe');
    await owner.getByLabel('Email address').fill(email);
    await owner.getByLabel(SHOWN).check();
    await owner.keyboard.press('Control+Enter');
    await heading(owner, 'Rita Roe').waitFor();
    // The operator creates the role first. Until then, the account's task is retried.
    await owner.getByText('The account is being set up…').waitFor({ state: 'detached', timeout: 90_000 });
    const { users } = await asKeycloakAdmin();
    const [account] = await users.find({ realm: scene.prefix, email, exact: true });
    const held = await users.listRealmRoleMappings({ realm: scene.prefix, id: account?.id ?? '' });
    expect(held.map(({ name }) => name)).toContain(NAME);
  }, 120_000);

  it('withholds a permission from a role, whose people see it within seconds', async () => {
    const nurse = await scene.loggedIn('NURSE');
    await nurse.getByRole('link', { name: 'Register a patient' }).waitFor();
    await owner.getByRole('link', { name: 'Roles', exact: true }).click();
    await owner.getByRole('link', { name: 'Nurse' }).click();
    await owner.getByLabel('Register and change patients').uncheck();
    expect(await violations(owner)).toEqual([]);
    await owner.keyboard.press('Control+Enter');
    await owner.getByText('Saved. It holds within seconds').waitFor();
    await owner.getByRole('link', { name: 'Roles', exact: true }).click();
    await owner.getByRole('row', { name: 'Nurse' }).getByText('1', { exact: true }).waitFor();
    expect(await violations(owner)).toEqual([]);

    const hidden = async () => {
      await nurse.reload();
      await heading(nurse, 'Patients').waitFor();
      return nurse.getByRole('link', { name: 'Register a patient' }).count();
    };
    await until('a page without the button', hidden, (count) => count === 0);
    await nurse.goto(`${scene.origin}/patients/new`);
    await heading(nurse, 'Not for your role').waitFor();
  });

  it('can withhold nothing from owners, and an administrator from nobody', async () => {
    await owner.goto(`${scene.origin}/roles/OWNER`);
    await owner.getByText('Nothing can be withheld from an owner').waitFor();
    expect(await owner.getByRole('button', { name: 'Save' }).count()).toBe(0);
    const other = await scene.loggedIn('ADMIN', { viewport: { width: 320, height: 640 } });
    await other.goto(`${scene.origin}/roles/NURSE`);
    await heading(other, 'Nurse').waitFor();
    expect(await other.getByRole('button', { name: 'Save' }).count()).toBe(0);
    expect(await overflow(other)).toBe(0);
    await other.getByRole('button', { name: 'Language: English' }).click();
    await other.getByRole('menuitem', { name: 'العربية' }).click();
    await heading(other, 'ممرض').waitFor();
    expect(await overflow(other)).toBe(0);
    expect(await violations(other)).toEqual([]);
  });
});
