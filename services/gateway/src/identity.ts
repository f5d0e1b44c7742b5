/** The version of Kong that this gateway behaves like. Clients such as decK check it. */
export const KONG_VERSION = '3.9.3';
export const SERVER = `kong/${KONG_VERSION}`;
