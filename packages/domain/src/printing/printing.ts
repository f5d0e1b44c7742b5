/** Documents that are printed at once, and not kept: what the modules that print share. */
import { type Rendered, RendererBusy } from '@hms/documents';
import { type ErrorKind, Problem, type RawReply } from '@hms/service';
import { missingCodes } from './rendering.ts';

export const DOCUMENTS_BUSY: ErrorKind = {
  status: 503,
  code: 'DOCUMENTS_BUSY',
  message: 'Too many documents are being created: retry in a few seconds',
  retryAfter: 5,
};

/**
 * The reply with a document that is printed at once, and not kept. A header names the characters that it shows as codes.
 * @throws Problem DOCUMENTS_BUSY.
 */
export async function printed(fileName: string, rendering: Promise<Rendered>): Promise<RawReply> {
  try {
    const rendered = await rendering;
    const codes = missingCodes(rendered);
    const headers = {
      ...(codes.length > 0 ? { 'X-Missing-Characters': codes.join(' ') } : {}),
      'Content-Disposition': `inline; filename="${fileName}"`,
      'Cache-Control': 'no-store',
    };
    return { contentType: 'application/pdf', body: rendered.pdf, headers };
  } catch (error) {
    throw error instanceof RendererBusy ? new Problem(DOCUMENTS_BUSY, { cause: error }) : error;
  }
}
