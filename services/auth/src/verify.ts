/** Whether a document is genuine, for anybody who has it. Nothing in the answer is about a person. */
import { fields, type Platform, Problem, type Route, route } from '@hms/service';
import { z } from 'zod';

const DOCUMENT_UNKNOWN = {
  status: 404,
  code: 'DOCUMENT_UNKNOWN',
  message:
    'No hospital of this platform issued a document with this content. Either it was changed, or it comes from elsewhere. Uploaded files are not issued',
} as const;

const issued = z
  .object({ hospital: z.string().describe('Name of the hospital that issued it'), issuedAt: fields.timestamp })
  .meta({ id: 'IssuedDocument' });

export function verifyRoute({ db }: Pick<Platform, 'db'>): Route {
  return route({
    method: 'GET',
    path: '/api/auth/verify/:sha256',
    operationId: 'verifyDocument',
    summary: 'Check whether a document is genuine',
    description:
      'The SHA-256 of a file says which hospital issued it and when. A file with any change has another one.',
    access: 'public',
    params: z.object({ sha256: fields.sha256 }),
    response: issued,
    errors: [DOCUMENT_UNKNOWN],
    handler: async ({ params: { sha256 } }) => {
      const found = await db
        .withSchema('platform')
        .from('issued_documents as document')
        .join('hospitals as hospital', 'hospital.id', 'document.hospital_id')
        .where({ sha256 })
        .first<{ hospital: string; issuedAt: Date } | undefined>({
          hospital: 'hospital.display_name',
          issuedAt: 'document.issued_at',
        });
      if (!found) throw new Problem(DOCUMENT_UNKNOWN);
      return { data: { hospital: found.hospital, issuedAt: found.issuedAt.toISOString() } };
    },
  });
}
