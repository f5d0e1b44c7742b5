import { hash } from 'node:crypto';
import { isAvailable, type Member } from './member.ts';

/**
 * Picks the next available member.
 * @param hashed the request's hash input, if it has one
 * @param tried members that have failed this request already, picked only when no other is left
 */
export type Picker = (hashed: string | undefined, tried: ReadonlySet<Member>) => Member | undefined;

/** The picker of an algorithm over these members. It checks their health at each call. */
export function picker(algorithm: string, members: readonly Member[]): Picker {
  switch (algorithm) {
    case 'least-connections':
      return (_hashed, tried) =>
        among(members, tried, (candidates) =>
          least(candidates, ({ connections, weight }) => (connections + 1) / weight),
        );
    case 'latency':
      // Kong 3.9 compares all members too, instead of two random ones (Kong/kong#14961).
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

/** Smooth weighted round robin: each member in proportion to its weight, evenly spread. */
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

/** The member with the lowest score. Equal members take turns. */
function least(candidates: readonly Member[], scoreOf: (member: Member) => number): Member | undefined {
  const scores = candidates.map(scoreOf);
  const lowest = Math.min(...scores);
  return roundRobin(candidates.filter((_member, index) => scores[index] === lowest));
}

/** A hash ring with points in proportion to each member's weight: adding or removing one moves only its own share. */
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
/** Points per member on average, as in Kong. */
const POINTS = 160;
