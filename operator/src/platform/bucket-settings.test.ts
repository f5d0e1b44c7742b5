import { describe, expect, it } from '@jest/globals';
import { rulesThatKeepFiles } from './bucket-settings.ts';

describe('rulesThatKeepFiles', () => {
  it('allows older versions to expire, but not current ones', () => {
    const older = { ID: 'older', Status: 'Enabled', NoncurrentVersionExpiration: { NoncurrentDays: 90 } } as const;
    const markers = { ID: 'markers', Status: 'Enabled', Expiration: { ExpiredObjectDeleteMarker: true } } as const;
    const all = { ID: 'all', Status: 'Enabled', Expiration: { Days: 1 } } as const;
    expect(rulesThatKeepFiles([older, markers, all])).toEqual([older, markers]);
  });
});
