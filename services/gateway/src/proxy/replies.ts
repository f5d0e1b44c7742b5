import type { ResponseHead } from './response-head.ts';

/** A response of the gateway itself. */
export interface Reply {
  readonly status: number;
  /** Sent unchanged. Absent if `message` is set. */
  readonly body?: string;
  readonly contentType?: string;
  /** Rendered with the error template of the type that the client accepts, with the request's id. */
  readonly message?: string;
  readonly decorate?: (head: ResponseHead) => void;
}

/** A JSON body, whatever the client accepts: Kong's `response.exit`. */
export function exit(status: number, body: Readonly<Record<string, unknown>>): Reply {
  return { status, body: JSON.stringify(body), contentType: JSON_TYPE };
}

/**
 * The error template: Kong's `response.error`. A status that is not an error becomes 500, because plugins may be
 * configured with any number.
 */
export function refuse(status: number, message: string): Reply {
  const isError = status >= 400 && status < 600;
  return isError ? { status, message } : { status: 500, message: 'An unexpected error occurred' };
}

/**
 * Fills the error template.
 * @param accept the Accept header or its substitute. JSON without one.
 */
export function renderError(
  message: string,
  requestId: string,
  accept: string | undefined,
): { body: string; contentType: string } {
  const type = accept === undefined ? 'json' : preferredType(accept);
  return { body: TEMPLATES[type](message, requestId), contentType: TYPES[type] };
}

type Template = 'json' | 'html' | 'plain' | 'xml';

const JSON_TYPE = 'application/json; charset=utf-8';

const TYPES: Readonly<Record<Template, string>> = {
  json: JSON_TYPE,
  html: 'text/html; charset=utf-8',
  plain: 'text/plain; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
};

const TEMPLATES: Readonly<Record<Template, (message: string, requestId: string) => string>> = {
  json: (message, requestId) => `{\n  "message":${JSON.stringify(message)},\n  "request_id":"${requestId}"\n}`,
  html: (message, requestId) => `<!doctype html>
<html>
  <head>
    <meta charset="utf-8">
    <title>Error</title>
  </head>
  <body>
    <h1>Error</h1>
    <p>${escapeMarkup(message)}.</p>
    <p>request_id: ${requestId}</p>
  </body>
</html>
`,
  plain: (message, requestId) => `${message}\nrequest_id: ${requestId}\n`,
  xml: (message, requestId) => `<?xml version="1.0" encoding="UTF-8"?>
<error>
  <message>${escapeMarkup(message)}</message>
  <requestid>${requestId}</requestid>
</error>
`,
};

/** The most preferred type (RFC 9110, 12.5.1) that has a template. */
function preferredType(accept: string): Template {
  const accepted = accept
    .split(',')
    .map((entry) => {
      const [type = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
      const quality = parameters.find((parameter) => parameter.startsWith('q='));
      return { template: templateFor(type), quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 };
    })
    .filter(({ template, quality }) => template !== undefined && quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return accepted[0]?.template ?? 'json';
}

function templateFor(type: string): Template | undefined {
  if (type === 'text/html') return 'html';
  if (type === 'application/xml' || type === 'text/xml') return 'xml';
  if (type.startsWith('text/')) return 'plain';
  if (type === '*/*' || type.startsWith('application/')) return 'json';
  return undefined;
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
