/** The line of the log for each request. */
import { EventEmitter } from 'node:events';
import { expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { createMetrics } from './metrics.ts';
import { accessLog, type Locals } from './requests.ts';

/** The path that the log has of a request. */
function loggedPath(path: string): unknown {
  const lines: Record<string, unknown>[] = [];
  const moduleLog = {
    info: (line: Record<string, unknown>) => void lines.push(line),
  } as unknown as Locals['moduleLog'];
  const locals = { requestId: 'r', client: '::1', lastEventId: undefined, knownEtags: undefined, moduleLog };
  const response = Object.assign(new EventEmitter(), { locals, statusCode: 200, writableFinished: true });
  accessLog(createMetrics('example'))({ path, method: 'GET' } as Request, response as unknown as Response, () => {});
  response.emit('close');
  return lines[0]?.path;
}

it('hides a secret in a path, and no id', () => {
  const id = '0b6a3f6e-52a8-4d1f-9c77-3d1f4a6c9f10';
  expect(loggedPath(`/api/example/${id}/${'aZ-_9'.repeat(9)}`)).toBe(`/api/example/${id}/***`);
});
