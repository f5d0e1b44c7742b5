import { HOSPITALS_PATH, type HospitalObject } from '@hms/hospitals';
import { Reflector } from '@hms/kubernetes';
import { TestApiServer } from '@hms/kubernetes/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { HospitalWriter } from './status-writer.ts';
import { hospitalObject } from './testing.ts';

let server: TestApiServer;
beforeEach(async () => {
  server = await TestApiServer.start();
});
afterEach(() => server.stop());

describe('HospitalWriter', () => {
  it('continues with the object that was read, because the response may have a newer spec', async () => {
    const client = server.client();
    const logger = pino({ level: 'silent' });
    const cache = new Reflector<HospitalObject>({ client, path: HOSPITALS_PATH, logger, onChange: () => undefined });
    const writer = new HospitalWriter(client, cache, () => undefined);
    const hospital = hospitalObject({ generation: 1, annotations: { mark: 'read' } });
    server.answer = {
      ...hospitalObject({ generation: 2, spec: { state: 'Suspended' }, status: { phase: 'Ready' } }),
      metadata: { ...hospital.metadata, generation: 2, resourceVersion: '2', annotations: { mark: 'changed' } },
    };
    const written = await writer.writeStatus(hospital, { phase: 'Ready' });
    expect(written).toEqual({
      ...hospital,
      metadata: { ...hospital.metadata, resourceVersion: '2' },
      status: { phase: 'Ready' },
    });
    expect(server.requests).toHaveLength(1);
    expect(await writer.writeStatus(written, { phase: 'Ready' })).toBe(written);
    expect(server.requests).toHaveLength(1);
  });
});
