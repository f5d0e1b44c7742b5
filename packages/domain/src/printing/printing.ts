/** Documents that are printed at once, and not kept: what the modules that print share. */
import { codeOf, type Rendered, RendererBusy } from '@hms/documents';
import { type ErrorKind, Problem, type RawReply } from '@hms/service';

export const DOCUMENTS_BUSY: ErrorKind = {
  status: 503,
  code: 'DOCUMENTS_BUSY',
  message: 'Too many documents are being created: retry in a few seconds',
  retryAfter: 5,
};

/** Servers limit the size of headers. */
const MOST_NAMED = 50;

/**
 * The reply with a document that is printed at once, and not kept. A header names the characters that it shows as codes.
 * @throws Problem DOCUMENTS_BUSY.
 */
export async function printed(fileName: string, rendering: Promise<Rendered>): Promise<RawReply> {
  try {
    const { pdf, missing } = await rendering;
    const headers = {
      ...(missing.length > 0 ? { 'X-Missing-Characters': missing.slice(0, MOST_NAMED).map(codeOf).join(' ') } : {}),
      'Content-Disposition': `inline; filename="${fileName}"`,
      'Cache-Control': 'no-store',
    };
    return { contentType: 'application/pdf', body: pdf, headers };
  } catch (error) {
    throw error instanceof RendererBusy ? new Problem(DOCUMENTS_BUSY, { cause: error }) : error;
  }
}
