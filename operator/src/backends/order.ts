/** The order of the backends, by what each of them needs. */
import type { Backend } from './backend.ts';
import { allEnded } from './errors.ts';

/** @throws Error if a backend has the name of another one, or needs an unknown one or, by way of others, itself. */
export function requireOrder(backends: readonly Backend[]): void {
  const ready = new Set<string>();
  for (let rest = backends; rest.length > 0; ) {
    const next = rest.filter(({ descriptor }) => descriptor.needs.every(({ name }) => ready.has(name)));
    if (next.length === 0)
      throw new Error(
        `backends that need an unknown one or each other: ${rest.map(({ descriptor }) => descriptor.name).join(', ')}`,
      );
    for (const { descriptor } of next) {
      if (ready.has(descriptor.name)) throw new Error(`two backends have the name ${descriptor.name}`);
      ready.add(descriptor.name);
    }
    rest = rest.filter((backend) => !next.includes(backend));
  }
}

/**
 * Works on each backend after those that it follows, and on the others in parallel. Ends when all have ended.
 * @param work called with the results of the backends that this one follows.
 * @returns the results in the order of the backends.
 */
export function inOrder<T>(
  backends: readonly Backend[],
  follows: (one: Backend, other: Backend) => boolean,
  work: (backend: Backend, earlier: readonly T[]) => Promise<T>,
): Promise<readonly T[]> {
  const started = new Map<Backend, Promise<T>>();
  const start = (backend: Backend): Promise<T> => {
    const running =
      started.get(backend) ??
      Promise.all(backends.filter((other) => follows(backend, other)).map(start)).then((earlier) =>
        work(backend, earlier),
      );
    started.set(backend, running);
    return running;
  };
  return allEnded(backends.map(start));
}

export function needs({ descriptor }: Backend, other: Backend): boolean {
  return descriptor.needs.some(({ name }) => name === other.descriptor.name);
}
