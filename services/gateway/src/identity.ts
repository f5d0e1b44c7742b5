/** The version of Kong whose behaviour this gateway has; clients such as decK look at it. */
export const KONG_VERSION = '3.9.3';
export const SERVER = `kong/${KONG_VERSION}`;
