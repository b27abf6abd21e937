import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConnectionFacts } from '../transport/server-transport.ts';
import { streamRuleOf, type StreamFields, type StreamRule } from './stream-rule.ts';
import { StreamTable } from './stream-table.ts';

const facts: ConnectionFacts = {
  peerAddress: '192.0.2.7',
  peerPort: 40_000,
  localAddress: '198.51.100.1',
  localPort: 5432,
  encrypted: false,
  serverName: undefined,
  clientCertificates: () => [],
  isClientVerified: false,
  clientAsks: '',
};

function fieldsOf(id: string, fields: Partial<StreamFields> = {}): StreamFields {
  const nothing = { snis: [], sources: [], destinations: [] };
  return { id, name: id, priority: 0, created_at_ms: 0, protocols: ['tcp'], ...nothing, ...fields };
}

function ruleOf(fields: StreamFields): StreamRule {
  const rule = streamRuleOf(fields, (pointer, message) => {
    throw new Error(`${pointer} ${message}`);
  });
  if (rule === undefined) throw new Error('no rule');
  return rule;
}

function tableOf(...list: readonly StreamFields[]): StreamTable<{ stream: StreamRule }> {
  return new StreamTable(list.map((fields) => ({ stream: ruleOf(fields) })));
}

const idOf = (route: { stream: StreamRule } | undefined): string | undefined => route?.stream.id;

describe('the route of a connection', () => {
  it.each<[string, Partial<ConnectionFacts>, string]>([
    ['its port', {}, 'port'],
    ['address and port', { localAddress: '198.51.100.9' }, 'place'],
    ['where it comes from', { localPort: 1, peerAddress: '10.1.2.3' }, 'inside'],
    ['where it comes from, as IPv6 sockets say it', { localPort: 1, peerAddress: '::ffff:10.1.2.3' }, 'inside'],
    ['where it comes from, in IPv6', { localPort: 1, peerAddress: '2001:db8::5' }, 'six'],
    ['nothing', { localPort: 1 }, 'rest'],
  ])('is told by %s', (_what, more, id) => {
    const table = tableOf(
      fieldsOf('rest'),
      fieldsOf('inside', { sources: [{ ip: '10.0.0.0/8' }] }),
      fieldsOf('six', { sources: [{ ip: '2001:db8::/32', port: null }] }),
      fieldsOf('port', { destinations: [{ port: 5432 }] }),
      fieldsOf('place', { destinations: [{ ip: '198.51.100.9', port: 5432 }], priority: 1 }),
    );
    expect(idOf(table.plain({ ...facts, ...more }))).toBe(id);
  });

  it('is told by the port that the client has', () => {
    const table = tableOf(fieldsOf('a', { sources: [{ port: 40_000 }] }));
    expect([table.plain(facts), table.plain({ ...facts, peerPort: 1 })].map(idOf)).toEqual(['a', undefined]);
  });

  it('is the one that names the server most exactly, among those of one priority', () => {
    const names = ['db.eu.example.com', '*.eu.example.com', '*.example.com'];
    const routes = names.map((name) => fieldsOf(name, { protocols: ['tls'], snis: [name] }));
    const table = tableOf(
      ...routes.toReversed(),
      fieldsOf('urgent', { protocols: ['tls'], snis: ['*.com'], priority: 1 }),
    );
    const without = tableOf(...routes);
    const asked = ['db.eu.example.com', 'x.eu.example.com', 'a.b.example.com', 'example.com', 'example.org'];
    const found = (from: typeof table) => asked.map((serverName) => idOf(from.passed({ ...facts, serverName })));
    expect(found(without)).toEqual([...names, undefined, undefined]);
    expect(found(table)).toEqual([...['urgent', 'urgent', 'urgent', 'urgent'], undefined]);
    expect(without.passed(facts)).toBeUndefined();
  });

  it('that passes TLS through, that ends it, and that has none are found apart', () => {
    const table = tableOf(
      fieldsOf('passed', { protocols: ['tls'], snis: ['a.test'] }),
      fieldsOf('ended', { snis: ['a.test'] }),
      fieldsOf('plain'),
    );
    const asked = { ...facts, serverName: 'a.test' };
    expect([table.passed(asked), table.terminated(asked), table.plain(asked)].map(idOf)).toEqual([
      'passed',
      'ended',
      'plain',
    ]);
    expect([table.passesTls, tableOf(fieldsOf('plain')).passesTls, table.size]).toEqual([true, false, 3]);
  });

  it('is the first in one total order, as a search through all of them finds it', () => {
    const port = fc.constantFrom(1, 2);
    const address = fc.constantFrom('10.0.0.1', '10.0.0.0/24', '10.0.1.0/24', '::1');
    const end = fc.oneof(fc.record({ port }), fc.record({ ip: address }), fc.record({ ip: address, port }));
    const name = fc.constantFrom('a.b.c', '*.b.c', '*.c', 'x.c');
    const fields = fc.record({
      priority: fc.constantFrom(0, 0, 1),
      created_at_ms: fc.constantFrom(1, 2),
      snis: fc.array(name, { maxLength: 2 }),
      sources: fc.array(end, { maxLength: 2 }),
      destinations: fc.array(end, { maxLength: 2 }),
    });
    const connection = fc.record({
      peerAddress: fc.constantFrom('10.0.0.1', '10.0.1.9', '::1', '::ffff:10.0.0.7'),
      peerPort: port,
      localAddress: fc.constantFrom('10.0.0.1', '10.0.0.2', '10.0.1.9', '::1'),
      localPort: port,
      serverName: fc.constantFrom('a.b.c', 'y.b.c', 'x.c', 'other', undefined),
    });
    fc.assert(
      fc.property(fc.array(fields, { maxLength: 8 }), connection, (list, ends) => {
        const all = list.map((one, index) => fieldsOf(`r${index}`, one));
        const given = { ...facts, ...ends };
        expect(idOf(tableOf(...all).plain(given))).toBe(
          search(
            all.filter(({ snis }) => snis.length === 0),
            given,
          ),
        );
        const named = all.filter(({ snis }) => snis.length > 0);
        expect(idOf(tableOf(...all).terminated(given))).toBe(search(named, given));
        const passed = named.map((one) => ({ ...one, protocols: ['tls'] }));
        expect(idOf(tableOf(...passed).passed(given))).toBe(search(named, given));
      }),
    );
  });
});

describe('a route that cannot be matched', () => {
  it.each<[string, Partial<StreamFields>, string]>([
    ['is one for tls that would take all of it', { protocols: ['tls'] }, '/snis'],
    ['has a source that is no address', { sources: [{ ip: 'nowhere' }] }, '/sources'],
    ['has a range that is longer than an address', { destinations: [{ ip: '10.0.0.0/33' }] }, '/destinations'],
  ])('%s', (_name, fields, pointer) => {
    const mistakes: string[] = [];
    expect(streamRuleOf(fieldsOf('r', fields), (at) => mistakes.push(at))).toBeUndefined();
    expect(mistakes).toEqual([pointer]);
  });

  it('and one for requests only has no rule', () => {
    const rule = streamRuleOf(fieldsOf('r', { protocols: ['http'], sources: [{ ip: 'nowhere' }] }), () => {
      throw new Error('was read');
    });
    expect(rule).toBeUndefined();
  });
});

/** The order in the words of the documentation, over all routes. */
function search(all: readonly StreamFields[], { serverName = '', ...ends }: ConnectionFacts): string | undefined {
  const matches = (stated: StreamFields['sources'], address: string, port: number): boolean =>
    stated.length === 0 ||
    stated.some((end) => (end.port ?? port) === port && (typeof end.ip !== 'string' || isWithin(end.ip, address)));
  const exactness = ({ snis }: StreamFields): number => {
    const fitting = snis.filter((name) => (name[0] === '*' ? serverName.endsWith(name.slice(1)) : name === serverName));
    return Math.max(-1, ...fitting.map((name) => (name[0] === '*' ? name.length : 1000)));
  };
  const rank = (route: StreamFields): readonly number[] => [
    -route.priority,
    -exactness(route),
    -Number(route.destinations.length > 0),
    -Number(route.sources.length > 0),
    route.created_at_ms,
    Number(route.id.slice(1)),
  ];
  const [first] = all
    .filter((route) => route.snis.length === 0 || exactness(route) >= 0)
    .filter(({ destinations }) => matches(destinations, ends.localAddress, ends.localPort))
    .filter(({ sources }) => matches(sources, ends.peerAddress, ends.peerPort))
    .sort((one, other) => {
      const ranks = [rank(one), rank(other)];
      const at = rank(one).findIndex((value, index) => value !== ranks[1]?.[index]);
      return (ranks[0]?.[at] ?? 0) - (ranks[1]?.[at] ?? 0);
    });
  return first?.id;
}

function isWithin(range: string, address: string): boolean {
  const plain = address.replace('::ffff:', '');
  if (!range.includes('/')) return range === plain;
  return plain.startsWith(range.replace('0/24', ''));
}
