import { describe, expect, test } from '@jest/globals';
import { useEmptyGateway } from '../testing/setup.ts';

const gateway = useEmptyGateway();
const stream = "when 'protocols' is 'tcp', 'tls', 'tls_passthrough' or 'udp'";
const sources = [{ ip: '10.0.0.0/8', port: 80 }];

describe('a route', () => {
  test.each<[string, object, object]>([
    [
      'of HTTP with sources and destinations',
      { paths: ['/a'], sources, destinations: sources },
      {
        sources: "cannot set 'sources' when 'protocols' is 'http' or 'https'",
        destinations: "cannot set 'destinations' when 'protocols' is 'http' or 'https'",
      },
    ],
    [
      'of HTTP with nothing to match',
      { protocols: ['http'] },
      { '@entity': ["must set one of 'methods', 'hosts', 'headers', 'paths' when 'protocols' is 'http'"] },
    ],
    [
      'of TCP with the attributes of HTTP',
      { protocols: ['tcp'], sources, methods: ['GET'], paths: ['/a'], hosts: ['a'], headers: { a: ['b'] } },
      {
        methods: `cannot set 'methods' ${stream}`,
        paths: `cannot set 'paths' ${stream}`,
        hosts: `cannot set 'hosts' ${stream}`,
        headers: `cannot set 'headers' ${stream}`,
      },
    ],
    [
      'of UDP with nothing to match',
      { protocols: ['udp'] },
      { '@entity': ["must set one of 'sources', 'destinations', 'snis' when 'protocols' is 'tcp', 'tls' or 'udp'"] },
    ],
    [
      'of TLS that is passed through, without names',
      { protocols: ['tls_passthrough'], sources },
      { '@entity': ["must set snis when 'protocols' is 'tls_passthrough'"] },
    ],
    [
      'of gRPC with methods, sources and a stripped path',
      { protocols: ['grpc'], paths: ['/a'], methods: ['GET'], sources, strip_path: true },
      {
        methods: "cannot set 'methods' when 'protocols' is 'grpc' or 'grpcs'",
        sources: "cannot set 'sources' when 'protocols' is 'grpc' or 'grpcs'",
        strip_path: "cannot set 'strip_path' when 'protocols' is 'grpc' or 'grpcs'",
      },
    ],
    [
      'of gRPC with nothing to match',
      { protocols: ['grpcs'] },
      { '@entity': ["must set one of 'hosts', 'headers', 'paths', 'snis' when 'protocols' is 'grpcs'"] },
    ],
    [
      'with a source that is not an address',
      { protocols: ['tcp'], sources: [{ ip: 'nowhere' }] },
      { sources: [{ ip: "invalid ip or cidr range: 'nowhere'" }] },
    ],
    [
      'with an empty source',
      { protocols: ['tcp'], sources: [{}] },
      { sources: ["at least one of these fields must be non-empty: 'ip', 'port'"] },
    ],
  ])('%s is refused', async (_name, route, fields) => {
    const answer = await gateway.admin('POST', '/routes', route);
    expect([answer.status, answer.json()]).toEqual([
      400,
      { code: 2, name: 'schema violation', message: expect.any(String), fields },
    ]);
  });

  test('that changes its protocol must clear the attributes of the former one', async () => {
    await gateway.make('POST', '/routes', { name: 'r', paths: ['/a'] });
    expect((await gateway.admin('PATCH', '/routes/r', { protocols: ['tcp'], sources })).status).toBe(400);
    const changed = await gateway.make('PATCH', '/routes/r', { protocols: ['tcp'], sources, paths: null });
    expect(changed).toMatchObject({ protocols: ['tcp'], sources, paths: null });
  });

  test('of a protocol other than HTTP matches no HTTP request', async () => {
    await gateway.make('POST', '/routes', { protocols: ['tcp'], sources: [{ ip: '127.0.0.1' }] });
    await gateway.make('POST', '/routes', { protocols: ['grpc'], paths: ['/'] });
    expect((await gateway.get('/a')).status).toBe(404);
  });
});
