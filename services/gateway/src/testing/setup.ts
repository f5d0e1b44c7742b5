/** Shared set-up: call these at the top of a test file, and they add their hooks to its tests. */
import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { type TestGateway, type TestUpstream, testGateway, testUpstream } from './harness.ts';

/** A gateway for all tests of the file. */
export function useGateway(): TestGateway {
  let current: TestGateway | undefined;
  beforeAll(async () => {
    current = await testGateway();
  });
  afterAll(() => current?.stop());
  const own = () => {
    if (!current) throw new Error('The gateway runs from beforeAll to afterAll');
    return current;
  };
  return {
    get gateway() {
      return own().gateway;
    },
    get folder() {
      return own().folder;
    },
    get proxy() {
      return own().proxy;
    },
    admin: (...call) => own().admin(...call),
    form: (...call) => own().form(...call),
    make: (...call) => own().make(...call),
    get: (...call) => own().get(...call),
    stop: () => own().stop(),
  };
}

/** A gateway for all tests of the file, with no entity at the start of each. */
export function useEmptyGateway(): TestGateway {
  const gateway = useGateway();
  // Children first.
  beforeEach(async () => {
    for (const kind of ['plugins', 'routes', 'services', 'consumers', 'upstreams', 'certificates', 'ca_certificates']) {
      const { data } = (await gateway.admin('GET', `/${kind}?size=1000`)).json() as { data: { id: string }[] };
      for (const { id } of data) await gateway.admin('DELETE', `/${kind}/${id}`);
    }
  });
  return gateway;
}

/** Closes what a test opens, after the test. */
export function useClosing(): (close: () => Promise<unknown>) => void {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  return (close) => void closing.push(close);
}

/** A new upstream behind the route `r`, which matches everything unless `route` says otherwise. */
export type Serve = (
  handle?: Parameters<typeof testUpstream>[0],
  route?: object,
  service?: object,
) => Promise<TestUpstream>;

/** For files whose tests each have their own route and upstream. */
export function useServe(gateway: TestGateway, closeLater: (close: () => Promise<unknown>) => void): Serve {
  beforeEach(async () => {
    await gateway.make('DELETE', '/routes/r');
    await gateway.make('DELETE', '/services/s');
  });
  return async (handle, route = {}, service = {}) => {
    const upstream = await testUpstream(handle);
    closeLater(upstream.stop);
    await gateway.make('PUT', '/services/s', { host: '127.0.0.1', port: upstream.port, ...service });
    await gateway.make('PUT', '/routes/r', { paths: ['/'], service: { name: 's' }, ...route });
    return upstream;
  };
}
