import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { route } from '../route.ts';
import { openApiDocument } from './document.ts';

it('names VALIDATION_FAILED for a POST without input, because of its Idempotency-Key', () => {
  const press = route({
    method: 'POST',
    path: '/api/hms/bell',
    summary: 'Ring the bell',
    access: 'patients.read',
    response: z.object({}),
    handler: async () => ({ data: {} }),
  });
  const document = openApiDocument({ name: 'hms', version: '0.1.0', title: 'A bell', routes: [press] });
  const { paths } = document as { paths: Record<string, { post: { responses: Record<string, object> } }> };
  expect(JSON.stringify(paths['/api/hms/bell']?.post.responses['400'])).toContain('"VALIDATION_FAILED"');
});
