import type { Route } from '../entities/routes.ts';
import { normalizePath } from './path.ts';
import { compile, type Pattern } from './patterns.ts';

/** The parts of a request that select its route. */
export interface RouteQuery {
  readonly method: string;
  readonly scheme: 'http' | 'https';
  /** Lower case, without port. */
  readonly host: string;
  readonly port: number;
  /** Normalised. */
  readonly path: string;
  readonly sni: string | undefined;
  /** The value of each header line with this name, in lower case. */
  readonly headerValues: (lowerName: string) => readonly string[];
}

export interface Match<T> {
  readonly target: T;
  /** How many characters of the path the route's path matched. */
  readonly matched: number;
  /** Named groups, if the route's path is a regular expression. */
  readonly captures: Readonly<Record<string, string | undefined>> | undefined;
}

/**
 * Finds the route of a request by Kong's priorities. Routes are ranked when the router is created. A request checks
 * only the routes with its own host and path prefix, so the number of routes does not affect its speed.
 */
export class Router<T> {
  readonly #byHost = new Map<string, Bucket<T>>();
  readonly #listedByPath = new Bucket<T>();
  readonly #anyHost = new Bucket<T>();

  constructor(entries: Iterable<{ readonly route: Route; readonly target: T }>) {
    const matchers = [...entries].flatMap(({ route, target }) => matchersOf(route, target)).sort(byPriority);
    matchers.forEach((matcher, rank) => {
      matcher.rank = rank;
      this.#place(matcher);
    });
  }

  find(query: RouteQuery): Match<T> | undefined {
    const search = new Search<T>(query);
    this.#byHost.get(query.host)?.search(search);
    this.#listedByPath.search(search);
    this.#anyHost.search(search);
    return search.best && { target: search.best.target, matched: search.matched, captures: search.captures };
  }

  #place(matcher: Matcher<T>): void {
    if (matcher.hosts.length === 0) {
      this.#anyHost.add(matcher);
    } else if (isListedByPath(matcher)) {
      this.#listedByPath.add(matcher);
    } else {
      for (const name of new Set(matcher.hosts.map((host) => host.name))) {
        const bucket = this.#byHost.get(name) ?? new Bucket();
        this.#byHost.set(name, bucket);
        bucket.add(matcher);
      }
    }
  }
}

/** Whether a host has no list of its own: because of a wildcard, or because its list of paths would be too long. */
function isListedByPath({ hosts, route }: Matcher<unknown>): boolean {
  const combinations = hosts.length * (route.paths?.length ?? 1);
  return combinations > LISTED_BY_HOST || hosts.some(({ name }) => name.includes('*'));
}

/** Each of a route's hosts has a list with each of its paths. */
const LISTED_BY_HOST = 10_000;

interface HostPattern {
  readonly name: string;
  readonly port: number | undefined;
}

/** A route with one of its paths. */
interface Matcher<T> {
  readonly target: T;
  readonly route: Route;
  readonly hosts: readonly HostPattern[];
  readonly methods: ReadonlySet<string> | undefined;
  readonly headers: readonly { readonly name: string; readonly test: (value: string) => boolean }[];
  readonly snis: ReadonlySet<string> | undefined;
  readonly prefix: string | undefined;
  readonly regex: Pattern | undefined;
  readonly priority: readonly number[];
  rank: number;
}

/** The matchers that share a host, by their required prefix. All lists are in rank order. */
class Bucket<T> {
  readonly #byPrefix = new Map<string, Matcher<T>[]>();
  readonly #lengths: number[] = [];
  readonly #others: Matcher<T>[] = [];

  add(matcher: Matcher<T>): void {
    const { prefix } = matcher;
    if (prefix === undefined) {
      this.#others.push(matcher);
      return;
    }
    const list = this.#byPrefix.get(prefix);
    if (list) list.push(matcher);
    else this.#byPrefix.set(prefix, [matcher]);
    if (!this.#lengths.includes(prefix.length)) this.#lengths.push(prefix.length);
  }

  search(search: Search<T>): void {
    search.consider(this.#others);
    for (const length of this.#lengths) {
      if (length > search.query.path.length) continue;
      const list = this.#byPrefix.get(search.query.path.slice(0, length));
      if (list) search.consider(list);
    }
  }
}

class Search<T> {
  readonly query: RouteQuery;
  best: Matcher<T> | undefined = undefined;
  matched = 0;
  captures: Match<T>['captures'] = undefined;

  constructor(query: RouteQuery) {
    this.query = query;
  }

  consider(list: readonly Matcher<T>[]): void {
    for (const matcher of list) {
      if (this.best && this.best.rank <= matcher.rank) return;
      const matched = matches(matcher, this.query);
      if (matched === undefined) continue;
      this.best = matcher;
      this.matched = typeof matched === 'number' ? matched : matched[0].length;
      this.captures = typeof matched === 'number' ? undefined : matched.groups;
      return;
    }
  }
}

/** How much of the path is matched, or undefined if the route does not match. */
function matches<T>(
  { hosts, methods, headers, snis, prefix, regex }: Matcher<T>,
  query: RouteQuery,
): number | NonNullable<ReturnType<Pattern['exec']>> | undefined {
  if (methods && !methods.has(query.method)) return undefined;
  if (hosts.length > 0 && !hosts.some((host) => hostMatches(host, query))) return undefined;
  if (snis && query.scheme === 'https' && !snis.has(query.sni ?? '')) return undefined;
  for (const { name, test } of headers) {
    if (!query.headerValues(name).some(test)) return undefined;
  }
  if (!regex) return prefix?.length ?? 0;
  // A test without groups rejects other routes' paths much faster.
  return regex.test(query.path) ? (regex.exec(query.path) ?? undefined) : undefined;
}

function hostMatches({ name, port }: HostPattern, query: RouteQuery): boolean {
  if (port !== undefined && port !== query.port) return false;
  if (name.startsWith('*')) return query.host.endsWith(name.slice(1)) && query.host.length > name.length - 1;
  if (name.endsWith('*')) return query.host.startsWith(name.slice(0, -1)) && query.host.length > name.length - 1;
  return name === query.host;
}

function matchersOf<T>(route: Route, target: T): Matcher<T>[] {
  const hosts = (route.hosts ?? []).map(parseHostPattern);
  const headers = Object.entries(route.headers ?? {}).map(([name, values]) => ({
    name: name.toLowerCase(),
    test: headerTest(values ?? []),
  }));
  const common = {
    target,
    route,
    hosts,
    headers,
    methods: route.methods?.length ? new Set(route.methods) : undefined,
    snis: route.snis?.length ? new Set(route.snis) : undefined,
    rank: 0,
  };
  const paths = route.paths?.length ? route.paths : [undefined];
  return paths.flatMap((path) => {
    const compiled = path?.startsWith('~') ? compile(path.slice(1), true) : undefined;
    // Invalid expressions are refused on write. One that an earlier release accepted matches nothing.
    if (compiled?.error !== undefined) return [];
    const prefix = path === undefined || compiled ? undefined : normalizePath(Buffer.from(path).toString('latin1'));
    return {
      ...common,
      prefix,
      regex: compiled?.pattern,
      priority: priorityOf(route, hosts, headers.length, compiled !== undefined, prefix?.length ?? 0),
    };
  });
}

/** The criteria between matching routes, most important first: as Kong 3.9.3 behaves, not as it documents. */
function priorityOf(
  route: Route,
  hosts: readonly HostPattern[],
  headerCount: number,
  isRegex: boolean,
  prefixLength: number,
): readonly number[] {
  const attributes = [route.methods?.length, hosts.length, headerCount, route.snis?.length, route.paths?.length];
  const allPlain = hosts.length > 0 && hosts.every(({ name }) => !name.includes('*'));
  return [
    allPlain ? 1 : 0,
    isRegex ? 1 : 0,
    headerCount,
    attributes.filter(Boolean).length,
    isRegex ? route.regex_priority : 0,
    prefixLength,
  ];
}

function byPriority(a: Matcher<unknown>, b: Matcher<unknown>): number {
  for (const [index, value] of a.priority.entries()) {
    const difference = (b.priority[index] ?? 0) - value;
    if (difference !== 0) return difference;
  }
  // Of one route's expressions, the first match counts.
  if (a.route.id === b.route.id) return 0;
  return a.route.id < b.route.id ? 1 : -1;
}

function parseHostPattern(pattern: string): HostPattern {
  const match = /^(.*?)(?::(\d+))?$/.exec(pattern.toLowerCase());
  return { name: match?.[1] ?? pattern, port: match?.[2] === undefined ? undefined : Number(match[2]) };
}

function headerTest(values: readonly (string | null)[]): (value: string) => boolean {
  const plain = new Set(
    values.flatMap((value) => (value === null || value.startsWith('~*') ? [] : [value.toLowerCase()])),
  );
  const patterns = values.flatMap((value) => {
    const { pattern } = value?.startsWith('~*') ? compile(`(?i)${value.slice(2)}`) : {};
    return pattern ? [pattern] : [];
  });
  return (value) => plain.has(value.toLowerCase()) || patterns.some((pattern) => pattern.test(value));
}
