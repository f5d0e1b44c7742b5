/** For tests: an answer of a FHIR server. */
import type { Bundle, FhirResource } from 'fhir/r4.js';

export interface FhirAnswer<Body> {
  readonly status: number;
  readonly type: string | null;
  readonly body: Body;
  readonly text: string;
}

/** @param url whole URL of a resource or a search */
export async function readFhir<Body = Bundle<FhirResource>>(url: string, token: string): Promise<FhirAnswer<Body>> {
  const answer = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  const text = await answer.text();
  return { status: answer.status, type: answer.headers.get('content-type'), body: JSON.parse(text) as Body, text };
}
