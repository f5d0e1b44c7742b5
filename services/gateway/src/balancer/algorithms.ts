import { hash } from 'node:crypto';
import { isAvailable, type Member } from './member.ts';

/**
 * Picks the next of the members that can be used.
 * @param hashed what the request is told apart by; undefined where nothing tells
 * @param tried members that have failed this request already: only taken where nothing else is left
 */
export type Picker = (hashed: string | undefined, tried: ReadonlySet<Member>) => Member | undefined;

/** The picking of an algorithm over these members; it looks at their health at each call. */
export function picker(algorithm: string, members: readonly Member[]): Picker {
  switch (algorithm) {
    case 'least-connections':
      return (_hashed, tried) =>
        among(members, tried, (candidates) =>
          least(candidates, ({ connections, weight }) => (connections + 1) / weight),
        );
    case 'latency':
      // Kong 3.9 looks at all members too: its two choices are as many as there are members (Kong/kong#14961).
      return (_hashed, tried) =>
        among(members, tried, (candidates) => least(candidates, ({ latency, weight }) => latency.expected() / weight));
    case 'consistent-hashing': {
      const ring = new Ring(members);
      return (hashed, tried) =>
        hashed === undefined
          ? among(members, tried, roundRobin)
          : (ring.find(hashed, tried) ?? ring.find(hashed, NONE));
    }
    default:
      return (_hashed, tried) => among(members, tried, roundRobin);
  }
}

function among(
  members: readonly Member[],
  tried: ReadonlySet<Member>,
  choose: (candidates: readonly Member[]) => Member | undefined,
): Member | undefined {
  const available = members.filter(isAvailable);
  const fresh = tried.size === 0 ? available : available.filter((member) => !tried.has(member));
  return choose(fresh.length > 0 ? fresh : available);
}

/** Smooth weighted round robin: as often as its weight says, and evenly spread. */
function roundRobin(candidates: readonly Member[]): Member | undefined {
  let total = 0;
  let chosen: Member | undefined;
  for (const member of candidates) {
    total += member.weight;
    member.turn += member.weight;
    if (!chosen || member.turn > chosen.turn) chosen = member;
  }
  if (chosen) chosen.turn -= total;
  return chosen;
}

/** The lowest score; the turn decides between equals. */
function least(candidates: readonly Member[], scoreOf: (member: Member) => number): Member | undefined {
  const scores = candidates.map(scoreOf);
  const lowest = Math.min(...scores);
  return roundRobin(candidates.filter((_member, index) => scores[index] === lowest));
}

/** Points on a circle, as many for each member as its weight says: one that comes or goes moves its own share only. */
class Ring {
  readonly #points: readonly { readonly at: number; readonly member: Member }[];

  constructor(members: readonly Member[]) {
    const total = members.reduce((sum, { weight }) => sum + weight, 0);
    this.#points = members
      .flatMap((member) => {
        const count = Math.ceil((member.weight / (total || 1)) * members.length * POINTS);
        return Array.from({ length: count }, (_, index) => ({
          at: position(`${member.ip}:${member.port} ${index}`),
          member,
        }));
      })
      .sort((a, b) => a.at - b.at);
  }

  find(hashed: string, tried: ReadonlySet<Member>): Member | undefined {
    const start = this.#firstFrom(position(hashed));
    for (let step = 0; step < this.#points.length; step += 1) {
      const member = this.#points[(start + step) % this.#points.length]?.member;
      if (member && isAvailable(member) && !tried.has(member)) return member;
    }
    return undefined;
  }

  #firstFrom(at: number): number {
    let low = 0;
    let high = this.#points.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#points[middle]?.at ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function position(text: string): number {
  return hash('md5', text, 'buffer').readUInt32BE(0);
}

const NONE: ReadonlySet<Member> = new Set();
/** For each member on average, as Kong. */
const POINTS = 160;
