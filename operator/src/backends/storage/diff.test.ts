import { describe, expect, it } from '@jest/globals';
import { tenantOf } from '../../hospital/tenant.ts';
import { hospitalObject } from '../../hospital/testing.ts';
import { type FolderMark, folderChanges, folderKeys, markOf, ownerOf } from './diff.ts';

const tenant = tenantOf(hospitalObject(), 'our-id', { baseUrl: 'http://localhost:8000', domain: 'localhost' });
const keys = folderKeys('st-mary/', ['branding']);
const ours = { hospitalId: 'our-id', ownerUid: tenant.uid };

describe('folderChanges', () => {
  it('creates every folder of a new hospital', () => {
    const changes = folderChanges(tenant, keys, { marks: new Map(), inUse: false });
    expect(changes.map(({ key }) => key)).toEqual(['st-mary/', 'st-mary/branding/']);
  });

  it('restores a missing folder', () => {
    const changes = folderChanges(tenant, keys, { marks: new Map([['st-mary/', ours]]), inUse: true });
    expect(changes).toEqual([{ action: 'create', object: 'folder st-mary/branding/', key: 'st-mary/branding/' }]);
  });

  it("restores the hospital's own mark if the inner folders still have it", () => {
    const changes = folderChanges(tenant, keys, { marks: new Map([['st-mary/branding/', ours]]), inUse: true });
    expect(changes.map(({ key }) => key)).toEqual(['st-mary/']);
  });

  it.each([
    [
      "another hospital's mark",
      new Map([['st-mary/', { hospitalId: 'other', ownerUid: 'x' }]]),
      /another hospital's mark/,
    ],
    [
      'a folder without a mark',
      new Map([['st-mary/', { hospitalId: undefined, ownerUid: undefined }]]),
      /no owner's mark/,
    ],
    ['files without a mark', new Map(), /no owner's mark/],
  ])('refuses %s', (_, marks, sentence) => {
    expect(() => folderChanges(tenant, keys, { marks, inUse: true })).toThrow(sentence);
  });

  it('adopts unmarked files if adoption allows it, but never a marked folder', () => {
    const adopting = { ...tenant, adoptUnowned: true };
    expect(folderChanges(adopting, keys, { marks: new Map(), inUse: true })).toHaveLength(2);
    const foreign = new Map([['st-mary/', { hospitalId: 'other', ownerUid: 'x' }]]);
    expect(() => folderChanges(adopting, keys, { marks: foreign, inUse: true })).toThrow(/another hospital's mark/);
    const inside = new Map([['st-mary/branding/', { hospitalId: 'other', ownerUid: 'x' }]]);
    expect(() => folderChanges(adopting, keys, { marks: inside, inUse: true })).toThrow(/another hospital's mark/);
  });
});

describe('markOf', () => {
  const $metadata = {};
  const Metadata = { 'hospital-id': 'our-id', 'owner-uid': 'uid' };
  const plain = { $metadata, Metadata, ContentLength: 0, ContentType: 'application/x-directory' };

  it('names what an object has in addition to its mark', () => {
    expect(markOf(plain)).toEqual({ hospitalId: 'our-id', ownerUid: 'uid', added: [] });
    const head = { ...plain, ContentLength: 4, ContentType: 'text/html', WebsiteRedirectLocation: 'x', TagCount: 1 };
    expect(markOf(head).added).toEqual(['content', 'content type', 'redirect', 'tags']);
  });
});

describe('ownerOf', () => {
  const other = { hospitalId: 'other', ownerUid: 'x' };
  const none = { hospitalId: undefined, ownerUid: undefined };

  it.each([
    ['its own mark is the hospital’s', new Map([['st-mary/', ours]]), 'ours'],
    ['its own mark is lost and an inner one is the hospital’s', new Map([['st-mary/branding/', ours]]), 'ours'],
    [
      'its own mark was overwritten and an inner one is the hospital’s',
      new Map<string, FolderMark>([
        ['st-mary/', none],
        ['st-mary/branding/', ours],
      ]),
      'ours',
    ],
    [
      "its own mark is lost and an inner one is another hospital's",
      new Map([
        ['st-mary/branding/', ours],
        ['st-mary/patients/', other],
      ]),
      'others',
    ],
    [
      "its own mark is another hospital's, whatever the inner marks",
      new Map([
        ['st-mary/', other],
        ['st-mary/branding/', ours],
      ]),
      'others',
    ],
    ['it exists without a mark', new Map([['st-mary/', none]]), 'nobody'],
    ['there are no marks', new Map(), 'nobody'],
  ])('%s', (_, marks, expected) => {
    expect(ownerOf('our-id', folderKeys('st-mary/', ['branding', 'patients']), marks)).toBe(expected);
  });
});
