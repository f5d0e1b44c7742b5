import pg from 'pg';

/** Quotes an identifier. */
export function quote(identifier: string): string {
  return pg.escapeIdentifier(identifier);
}

/** Quotes a text value for statements without parameters, such as CREATE and COMMENT. */
export function literal(value: string): string {
  return pg.escapeLiteral(value);
}
