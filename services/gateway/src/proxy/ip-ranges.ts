import { BlockList, isIP } from 'node:net';

/** The error of an address or a range in CIDR notation, or undefined if it is valid. */
export function rangeError(range: string): string | undefined {
  const { address, bits } = parseRange(range);
  const family = isIP(address);
  const valid =
    family !== 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 6 ? 128 : 32)));
  return valid ? undefined : `invalid ip or cidr range: '${range}'`;
}

/** Whether an address is in one of the ranges. */
export class IpRanges {
  readonly #list = new BlockList();

  /** @param ranges none of which has a `rangeError`. */
  constructor(ranges: readonly string[]) {
    for (const range of ranges) {
      const { address, bits } = parseRange(range);
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      if (bits === undefined) this.#list.addAddress(address, family);
      else this.#list.addSubnet(address, Number(bits), family);
    }
  }

  has(address: string): boolean {
    return this.#list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
}

function parseRange(range: string): { address: string; bits: string | undefined } {
  const slash = range.indexOf('/');
  return slash < 0
    ? { address: range, bits: undefined }
    : { address: range.slice(0, slash), bits: range.slice(slash + 1) };
}
