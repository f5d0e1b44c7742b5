/** Cookies. No script can read those that the server sets. */
import type { Request, Response } from 'express';

/** A browser accepts these names only with Secure and Path=/, and without Domain: no other host can set or get them. */
export type CookieName = `__Host-${string}`;

const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';

export function readCookie(request: Request, name: CookieName): string | undefined {
  const cookies = (request.get('Cookie') ?? '').split(/;\s*/);
  return cookies.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1) || undefined;
}

/** @param seconds after which the browser forgets it. */
export function setCookie(response: Response, name: CookieName, value: string, seconds: number): void {
  response.append('Set-Cookie', `${name}=${value}; ${ATTRIBUTES}; Max-Age=${seconds}`);
}

export function forgetCookie(response: Response, name: CookieName): void {
  setCookie(response, name, '', 0);
}
