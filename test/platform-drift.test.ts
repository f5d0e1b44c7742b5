/** What all hospitals share in the gateway, taken away by hand: put back with a hospital's next look, and told. */
import { afterAll, describe, expect, it } from '@jest/globals';
import { platform } from './platform.ts';
import { call, tokenOf } from './support/gateway.ts';
import { deleteHospital, eventsOf, freshHospital, resync } from './support/hospitals.ts';
import { until } from './support/until.ts';

const SLOW = 120_000;
const { admin } = platform().gateway;

interface Entity {
  readonly id: string;
  readonly name: string;
}

async function platformEntity(collection: string, of: string): Promise<Entity | undefined> {
  const answer = await fetch(`${admin}/services/${of}/${collection}?tags=hms-platform&size=1000`);
  const { data } = (await answer.json()) as { data: Entity[] };
  return data.find(({ name }) => name === (collection === 'plugins' ? 'jwt' : of));
}

const hospital = freshHospital();
afterAll(async () => deleteHospital((await hospital).metadata.name), SLOW);

describe.each(['plugins', 'routes'])("one of the platform's %s", (collection) => {
  it(
    'is put back at a look at any hospital, with an event about the Lease of the operator',
    async () => {
      const { name } = (await hospital).metadata;
      const token = await tokenOf(name, 'DOCTOR');
      const found = await platformEntity(collection, 'hms');
      await fetch(`${admin}/${collection}/${found?.id}`, { method: 'DELETE' });
      expect(await platformEntity(collection, 'hms')).toBeUndefined();
      await resync(name);
      await until(
        'it to be back',
        () => platformEntity(collection, 'hms'),
        (back) => back?.id === found?.id,
        20_000,
      );
      await until(
        'the hospital to be served',
        () => call('GET', '/api/hms/patients', { token }),
        ({ status }) => status === 200,
      );
      const what = collection === 'plugins' ? 'create plugin jwt of hms' : 'create route hms';
      await until(
        'the event',
        () => eventsOf('hms-operator'),
        (events) => events.some(({ reason, message }) => reason === 'DriftCorrected' && message.includes(what)),
      );
    },
    SLOW,
  );
});
