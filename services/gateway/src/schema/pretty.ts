/**
 * Writes a value as Kong's messages do (Lua's pl.pretty): `{id="x",service=null}` on one line, or indented.
 * Keys are sorted. Keys that are not Lua identifiers are written as `["@entity"]`.
 */
export function pretty(value: unknown, indented = false): string {
  return write(value, indented, '');
}

function write(value: unknown, indented: boolean, margin: string): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object') return String(value);
  const inner = `${margin}  `;
  const equals = indented ? ' = ' : '=';
  const parts = Array.isArray(value)
    ? value.map((element) => write(element, indented, inner))
    : Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, element]) => `${luaKey(key)}${equals}${write(element, indented, inner)}`);
  if (parts.length === 0) return '{}';
  return indented ? `{\n${parts.map((part) => inner + part).join(',\n')}\n${margin}}` : `{${parts.join(',')}}`;
}

function luaKey(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) ? key : `[${JSON.stringify(key)}]`;
}
