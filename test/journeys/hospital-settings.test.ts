/** A hospital's own settings: from its object to the modules. */
import { createRegistry } from '@hms/service';
import { DEFAULT_SETTINGS, type HospitalSettings } from '@hms/tenancy';
import { afterAll, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { Engines } from '../support/engines.ts';
import { applyHospital, deleteHospital, freshHospital, resync } from '../support/hospitals.ts';
import { until } from '../support/until.ts';

const SLOW = 120_000;
const engines = new Engines(platform());
afterAll(() => engines.close());

it(
  'reach a running module within five seconds, also when removed or changed by hand',
  async () => {
    const { name } = (await freshHospital()).metadata;
    // As in every module, with its cache.
    const registry = createRegistry(engines.db);
    const settings = async () => (await registry.byPrefix(name))?.settings;
    const arrive = (wanted: Partial<HospitalSettings>) =>
      until(
        `settings ${JSON.stringify(wanted)}`,
        settings,
        (found) => JSON.stringify(sorted(found)) === JSON.stringify(sorted({ ...DEFAULT_SETTINGS, ...wanted })),
        5_000,
      );
    await arrive({});
    const chosen = { requireOpenShift: true, slotMinutes: 20, address: '1 Main Street\nDublin', language: 'ar' };
    await applyHospital(name, { settings: chosen });
    await arrive(chosen);
    await applyHospital(name, { settings: { slotMinutes: 20 } });
    await arrive({ slotMinutes: 20 });
    const spy = { requireSecondVerifier: false };
    await engines.db.withSchema('platform').table('hospitals').where({ prefix: name }).update({ settings: spy });
    await arrive(spy);
    await resync(name);
    await arrive({ slotMinutes: 20 });
    await deleteHospital(name);
  },
  SLOW,
);

function sorted(settings: object = {}): unknown[] {
  return Object.entries(settings).sort(([one], [other]) => one.localeCompare(other));
}
