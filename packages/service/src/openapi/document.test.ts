import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { ErrorKind } from '../errors.ts';
import { type Route, route } from '../route.ts';
import { openApiDocument } from './document.ts';

const MUTED: ErrorKind = { status: 409, code: 'BELL_MUTED', message: 'The bell is muted' };

const bell = (path: string, ...errors: readonly ErrorKind[]) =>
  route({
    method: 'POST',
    path,
    summary: 'Ring a bell',
    access: 'patients.read',
    response: z.object({}),
    errors,
    handler: async () => ({ data: {} }),
  });

interface Document {
  readonly paths: Record<string, { readonly post: { readonly responses: Record<string, { readonly $ref: string }> } }>;
  readonly components: { readonly responses: Record<string, object> };
}
const documentOf = (...routes: readonly Route[]) =>
  openApiDocument({ name: 'hms', version: '0.1.0', title: 'Bells', routes }) as unknown as Document;

describe('the failures of operations', () => {
  it('name VALIDATION_FAILED for a POST without input, because of its Idempotency-Key', () => {
    const { paths, components } = documentOf(bell('/api/hms/bell'));
    const { $ref } = paths['/api/hms/bell']?.post.responses['400'] ?? { $ref: '' };
    expect(JSON.stringify(components.responses[$ref.replace('#/components/responses/', '')])).toContain(
      '"VALIDATION_FAILED"',
    );
  });

  it('are written once for operations that fail alike, and named by their codes', () => {
    const { paths, components } = documentOf(bell('/api/hms/bell', MUTED), bell('/api/hms/gong', MUTED));
    const [one, other] = Object.values(paths).map(({ post }) => post.responses['409']);
    expect(one).toEqual(other);
    expect(one).toEqual({ $ref: '#/components/responses/409.BELL_MUTED.IDEMPOTENCY_IN_PROGRESS' });
    expect(Object.keys(components.responses)).toContain('409.BELL_MUTED.IDEMPOTENCY_IN_PROGRESS');
  });

  it('can not have one code with two messages', () => {
    const other = { ...MUTED, message: 'Shh' };
    expect(() => documentOf(bell('/api/hms/bell', MUTED), bell('/api/hms/gong', other))).toThrow('two messages');
  });
});
