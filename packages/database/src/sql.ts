import pg from 'pg';

/** Quotes an identifier. */
export function quote(identifier: string): string {
  return pg.escapeIdentifier(identifier);
}

/** Quotes a text value, for statements that take no parameters, as CREATE and COMMENT don't. */
export function literal(value: string): string {
  return pg.escapeLiteral(value);
}
