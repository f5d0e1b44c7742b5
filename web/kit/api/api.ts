/** The client of all modules. A request waits for a login that is shown over the page, and goes on after it. */
import { ApiError, apiClient } from '@hms/api-client';
import { accessToken, renew } from '../session/session.ts';

export { ApiError, dataOf, envelopeOf, type Schemas } from '@hms/api-client';

/** The client for requests of a person who is logged in. */
export const api = apiClient(location.origin, async (request) => {
  // Before the first attempt, which uses up the body.
  const again = request.clone();
  const token = await accessToken();
  const response = await sendWith(request, token);
  if (response.status !== 401) return response;
  // Refused before anything was done, so that every request may be repeated.
  await renew(token);
  return sendWith(again, await accessToken());
});

/** The client for requests of anybody. */
export const openApi = apiClient(location.origin);

function sendWith(request: Request, token: string): Promise<Response> {
  request.headers.set('Authorization', `Bearer ${token}`);
  return fetch(request, { credentials: 'omit' });
}

/** A request with a token, for streams. */
export async function follow(path: string, signal: AbortSignal): Promise<Response> {
  const token = await accessToken();
  const response = await fetch(path, {
    headers: { Authorization: `Bearer ${token}` },
    credentials: 'omit',
    signal,
  });
  if (response.status === 401) await renew(token);
  if (!response.ok) throw new ApiError(response, await response.json().catch(() => undefined));
  return response;
}
