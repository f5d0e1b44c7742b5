/** The OpenAPI document of each module, as docs/modules.md says who may read it where. */
import { BUILT_MODULES, processNames } from '@hms/tenancy';
import { expect, it } from '@jest/globals';
import { platform } from '../platform.ts';
import { call, tokenOf } from '../support/gateway.ts';
import { freshHospital } from '../support/hospitals.ts';

it('needs a token behind the gateway where the module does, and none at the module itself', async () => {
  const { metadata } = await freshHospital();
  const token = await tokenOf(metadata.name, 'RECEPTION');
  for (const module of BUILT_MODULES) {
    const path = `${module.path}/openapi.json`;
    const [process_ = 'auth'] = processNames(module);
    const own = await fetch(`http://127.0.0.1:${platform().ports[process_]}/openapi.json`);
    const document = (await own.json()) as { readonly openapi: string; readonly paths: object };
    const statuses = [own.status, (await call('GET', path)).status, (await call('GET', path, { token })).status];
    expect([module.name, ...statuses]).toEqual([module.name, 200, module.tokenRequired ? 401 : 200, 200]);
    expect(document).toMatchObject({ openapi: '3.1.0', paths: expect.anything() });
  }
});
