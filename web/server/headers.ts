/** What a page may do in a browser. */
import { randomBytes } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { PlaceSettings } from './places.ts';

/** A new one for each answer. Styles that scripts add carry it. */
export function nonceOf(response: Response): string {
  response.locals.nonce ??= randomBytes(16).toString('base64');
  return response.locals.nonce as string;
}

/** Sets the content security policy and the other headers that limit a page. */
export function pageHeaders({ BASE_URL, PLATFORM_DOMAIN, S3_PUBLIC_ENDPOINT }: PageSettings): RequestHandler {
  const { protocol, port } = new URL(BASE_URL);
  const files = new URL(S3_PUBLIC_ENDPOINT).origin;
  const hospitals = `${protocol}//*.${PLATFORM_DOMAIN}${port ? `:${port}` : ''}`;
  const limits = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", (_request, response) => `'nonce-${nonceOf(response as Response)}'`],
        imgSrc: ["'self'", 'data:', 'blob:', files],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", files],
        manifestSrc: ["'self'"],
        // The landing page sends people to the page of their hospital.
        formAction: ["'self'", hospitals],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: protocol === 'https:',
  });
  return (request, response, next) => {
    response.set('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()');
    limits(request, response, next);
  };
}

type PageSettings = PlaceSettings & { readonly S3_PUBLIC_ENDPOINT: string };
