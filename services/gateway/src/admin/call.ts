import type { Body } from './body.ts';

/** What the Admin API answers. */
export interface Answer {
  readonly status: number;
  readonly body?: object;
}

/** What a client asks of the Admin API. */
export interface Call {
  readonly method: string;
  readonly query: URLSearchParams;
  /** Empty for methods without a body. */
  readonly body: Body;
}
