import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { createEgress, type EgressOptions } from '@portcullis/egress';
import { alternativeNames, generalName, makeAuthority, makeCertificate } from '@portcullis/testkit/certificates';
import { FakeClock, listenOn, startUpstream } from '@portcullis/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { destinationLimits, DestinationPools } from './destination-pools.ts';

const open = '127.0.0.2';
const closed = '127.0.0.1';

const disposed: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(disposed.splice(0).map((dispose) => dispose()));
});

/** Pools with a way out of their own, and what they log. */
function poolsWith(options: EgressOptions, poolsMax?: number) {
  const egress = createEgress(options);
  const lines: [string, unknown][] = [];
  const clock = new FakeClock();
  const log = {
    debug: () => undefined,
    warn: (text: string, more?: object) => void lines.push([text, more]),
    error: () => undefined,
  };
  const pools = new DestinationPools({ egress, log, monotonicMs: () => clock.monotonicMs() }, poolsMax);
  disposed.push(() => (pools.close(), egress.close()));
  return { pools, lines, clock };
}

/** One `GET`. @returns the body of the answer, or the code of the failure */
function get(pools: DestinationPools, origin: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const times = { readTimeoutMs: 60_000, writeTimeoutMs: 60_000 };
    const request = { method: 'GET', path: '/', headers: ['host', 'a.test'], body: undefined, ...times };
    pools.clientOf(origin, 60_000).send(request, {
      onResponse: () => undefined,
      onChunk: (chunk) => void (text += Buffer.from(chunk).toString()),
      onEnd: () => resolve(text),
      onFailure: ({ code }) => resolve(code),
    });
  });
}

describe('connections to destinations', () => {
  it('go to vetted addresses only, whatever a name stands for from one to the next', async () => {
    await using listener = await listenOn([open, closed]);
    const answers = [[open], [closed], [closed, open], [open, closed]];
    let asked = 0;
    const { pools } = poolsWith({ lookup: async () => answers[asked++ % 4] ?? [], allowed: [{ address: open }] });
    const flips = 200;
    const outcomes: Record<string, number> = {};
    for (let flip = 0; flip < flips; flip += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one connection after the other
      const outcome = await get(pools, `http://name.test:${listener.port}`);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    expect(outcomes).toEqual({ here: (flips * 3) / 4, upstream_refused: flips / 4 });
    expect([listener.accepted(open), listener.accepted(closed)]).toEqual([(flips * 3) / 4, 0]);
  });

  it('that are refused are told to the operator, once a minute for each origin', async () => {
    const { pools, lines, clock } = poolsWith({ lookup: async () => ['10.0.0.1'] });
    const ask = async (): Promise<void> => {
      for (const origin of ['http://one.test', 'http://one.test', 'https://two.test']) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        expect(await get(pools, origin)).toBe('upstream_refused');
      }
    };
    await ask();
    expect(lines).toEqual(
      ['http://one.test', 'https://two.test'].map((origin) => [
        'a destination that a plugin chose is refused: see PORTCULLIS_ALLOW_PRIVATE_ADDRESSES',
        { origin, error: 'the call was refused: its address is none that the operator allows' },
      ]),
    );
    clock.advance(destinationLimits.refusalLineMs);
    await ask();
    expect(lines.length).toBe(4);
  });

  it('are kept by origin, for as many origins as the bound says: the one that was used least recently goes', async () => {
    const servers = await Promise.all([1, 2, 3].map(() => startUpstream((_req, res) => void res.end('ok'))));
    disposed.push(...servers.map((server) => () => server.close()));
    const { pools } = poolsWith({ allowed: [{ address: closed }] }, 2);
    const [first, second, third] = servers;
    for (const server of [first, second, first, third, first, second]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await get(pools, server?.url ?? '')).toBe('ok');
    }
    expect(servers.map((server) => server.connections())).toEqual([1, 2, 1]);
  });

  it('over TLS have the host’s name, and the certificate must have it and be trusted', async () => {
    const authority = makeAuthority({ subject: 'authority.test' });
    const names = alternativeNames(generalName.dns('right.test'), generalName.ip(127, 0, 0, 1));
    const { pem, keyPem } = makeCertificate({ subject: 'right.test', issuer: authority, extensions: [names] });
    const server = createServer({ cert: pem, key: keyPem }, (req, res) => {
      res.end(String((req.socket as TLSSocket & { servername?: string | false }).servername));
    });
    await new Promise<void>((resolve) => server.listen(0, closed, resolve));
    disposed.push(() => (server.closeAllConnections(), server.close()));
    const { port } = server.address() as AddressInfo;
    const way = { lookup: async () => [closed], allowed: [{ address: closed }] };
    const { pools } = poolsWith({ ...way, certificates: [authority.pem] });
    expect(await get(pools, `https://right.test:${port}`)).toBe('right.test');
    expect(await get(pools, `https://right.test.:${port}`)).toBe('right.test');
    // An address is no server name, and the certificate must have it all the same. Source: RFC 6066, section 3.
    expect(await get(pools, `https://127.0.0.1:${port}`)).toBe('false');
    expect(await get(pools, `https://wrong.test:${port}`)).toBe('upstream_tls_failed');
    expect(await get(poolsWith(way).pools, `https://right.test:${port}`)).toBe('upstream_tls_failed');
  });
});
