/** Anybody finds their hospital by its name, and nobody gets a list unless the platform has one. */
import { updateHospital } from '@hms/database';
import { createTestHospital, startTestModule, type TestModule } from '@hms/service/testing';
import { afterEach, expect, it } from '@jest/globals';
import { platform } from '../../../../test/platform.ts';
import { searchLimits } from '../sessions/login-limits.ts';
import { type DirectoryKind, directoryRoute } from './directory.routes.ts';

let auth: TestModule;

async function start(kind: DirectoryKind, failures = 100) {
  auth = await startTestModule({
    databaseUrls: platform().databaseUrls,
    databaseRole: 'auth',
    define: (own) => ({
      name: 'auth',
      version: '1',
      title: 'Auth',
      routes: [directoryRoute({ platform: own, kind, limits: searchLimits(own.db, { failures, window: 600 }) })],
    }),
  });
  // With it comes the schema platform.
  await createTestHospital(auth.operator, auth.issuer);
  await auth.platform.db.withSchema('platform').from('login_attempts').where('key', 'like', 'search:%').delete();
}
afterEach(() => auth.close());

const ask = (query = '') => auth.send('GET', `/api/auth/hospitals${query}`);

async function named(displayName: string, changes: Parameters<typeof updateHospital>[2] = {}): Promise<string> {
  const { hospital } = await createTestHospital(auth.operator, auth.issuer);
  await updateHospital(auth.operator, hospital.prefix, { displayName, ...changes });
  return hospital.prefix;
}

it('finds hospitals by a part of the name, with their look, and says which are suspended', async () => {
  await start('search');
  const word = `q${Date.now().toString(36)}`;
  const look = { theme: { primaryColor: '#a03050' }, portal: 'https://care.example' };
  const open = await named(`Clínica ${word}`, look);
  const closed = await named(`Zoo ${word}`, { state: 'Suspended' });
  await named(`Gone ${word}`, { state: 'Retained' });
  const answer = await ask(`?q=${encodeURIComponent(word.toUpperCase())}`);
  expect(answer.data()).toEqual({
    more: false,
    hospitals: [
      expect.objectContaining({
        prefix: open,
        primaryColor: '#a03050',
        portal: 'https://care.example',
        suspended: false,
      }),
      expect.objectContaining({ prefix: closed, suspended: true }),
    ],
  });
});

it('refuses a list, and what is too short for a search', async () => {
  await start('search');
  expect(await ask()).toMatchObject({ status: 403, error: { code: 'HOSPITALS_NOT_LISTED' } });
  for (const q of ['ab', '%25%25%25', 'a+b+c', '%00abc', 'a'.repeat(101)])
    expect(await ask(`?q=${q}`)).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_FAILED', details: { fields: [{ field: 'q', in: 'query' }] } },
    });
});

it('ends a series of searches from one address', async () => {
  await start('search', 3);
  const answers = [await ask('?q=abc'), await ask('?q=abd'), await ask('?q=abe'), await ask('?q=abf')];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  expect(answers[3]).toMatchObject({ error: { code: 'TOO_MANY_SEARCHES' } });
});

it('lists all hospitals by name, in pages, where the platform allows it', async () => {
  await start('list');
  const prefix = await named('00 first');
  const answer = (await ask()).data() as { hospitals: { prefix: string }[] };
  expect(answer.hospitals.slice(0, 3).map((hospital) => hospital.prefix)).toContain(prefix);
  expect((await ask('?page=9999')).data()).toEqual({ hospitals: [], more: false });
  expect(await ask('?page=0')).toMatchObject({ status: 400, error: { details: { fields: [{ field: 'page' }] } } });
});
