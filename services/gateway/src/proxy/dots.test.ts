import { expect, test } from '@jest/globals';
import { sendRaw } from '../testing/harness.ts';
import { useClosing, useGateway, useServe } from '../testing/setup.ts';

const gateway = useGateway();
const serve = useServe(gateway, useClosing());

test.each([
  ['/route/../x', undefined],
  ['/route/%2e%2e/x', undefined],
  ['/route/..', undefined],
  ['/route../x', '/service/x'],
  ['/route%2e%2e/x', '/service/x'],
  ['/route./x', '/service/x'],
  ['/route..', '/service'],
  ['/route/a/../x', '/service/x'],
  ['/route/./x', '/service/x'],
  ['/route//../route/x', '/service/x'],
  ['/route/..%2fx', '/service/..%2Fx'],
  ['/route/...', '/service/...'],
])('%s reaches the service as %s', async (path, url) => {
  const upstream = await serve(undefined, { paths: ['/route'] }, { path: '/service' });
  const answer = await sendRaw(gateway.proxy, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  expect([upstream.requests[0]?.url, answer?.slice(9, 12)]).toEqual([url, url === undefined ? '404' : '200']);
});
