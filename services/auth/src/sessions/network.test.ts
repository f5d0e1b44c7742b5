import { describe, expect, it } from '@jest/globals';
import { networkOf } from './network.ts';

describe('networkOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2::1', '2001:db8:1:2'],
    ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['', ''],
  ])('of "%s" is "%s"', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
