import { eventually, TestDnsServer } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { startAddressServer } from '../testing/address-server.test-support.ts';
import { everythingTo, startTestGateway } from '../testing/test-gateway.test-support.ts';

async function textOf(url: string, init: RequestInit = {}): Promise<string> {
  return (await fetch(url, init)).text();
}

/** Zones change by the second, and machines of tests are slow. */
const patience = { timeoutMs: 30_000 };

describe('the name of an upstream', { timeout: 90_000 }, () => {
  it('stands for all its addresses, follows the zone, and outlives the name server', async () => {
    await using dns = await TestDnsServer.start();
    await using a = await startAddressServer('127.0.1.1');
    await using _b = await startAddressServer('127.0.1.2', a.port);
    dns.set('pool.test', ['127.0.1.1', '127.0.1.2']);
    await using gateway = await startTestGateway(everythingTo(`http://pool.test:${a.port}`), {
      PORTCULLIS_DNS_SERVERS: dns.address,
    });
    const first = await Promise.all([1, 2, 3, 4].map(() => textOf(gateway.url)));
    expect(new Set(first)).toEqual(new Set(['127.0.1.1', '127.0.1.2']));
    expect(new Set(a.hosts)).toEqual(new Set([`pool.test:${a.port}`]));
    dns.set('pool.test', ['127.0.1.2']);
    await eventually(async () => {
      const texts = await Promise.all([1, 2, 3, 4].map(() => textOf(gateway.url)));
      expect(new Set(texts)).toEqual(new Set(['127.0.1.2']));
      return true;
    }, patience);
    await eventually(async () => (await a.connections()) === 0, patience);
    dns.isBroken = true;
    const asked = dns.questions.length;
    await eventually(() => dns.questions.length >= asked + 4, patience);
    expect(await textOf(gateway.url)).toBe('127.0.1.2');
  });

  it('is not asked for by requests', async () => {
    await using dns = await TestDnsServer.start();
    await using a = await startAddressServer('127.0.1.1');
    dns.set('pool.test', ['127.0.1.1'], 3600);
    await using gateway = await startTestGateway(everythingTo(`http://pool.test:${a.port}`), {
      PORTCULLIS_DNS_SERVERS: dns.address,
    });
    expect(await textOf(gateway.url)).toBe('127.0.1.1');
    const asked = dns.questions.length;
    for (let request = 0; request < 10; request += 1) await textOf(gateway.url);
    expect([asked > 0, dns.questions.length]).toEqual([true, asked]);
  });

  it('that was never resolved answers 503, and is served once it is', async () => {
    await using dns = await TestDnsServer.start();
    await using a = await startAddressServer('127.0.1.1');
    await using gateway = await startTestGateway(everythingTo(`http://late.test:${a.port}`), {
      PORTCULLIS_DNS_SERVERS: dns.address,
    });
    const answer = await fetch(gateway.url);
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'name_unresolved' }]);
    dns.set('late.test', ['127.0.1.1']);
    await eventually(async () => (await textOf(gateway.url)) === '127.0.1.1', patience);
  });

  it('does not lead to addresses that are refused', async () => {
    await using dns = await TestDnsServer.start();
    await using a = await startAddressServer('127.0.1.1');
    dns.set('some.test', ['169.254.169.254', '127.0.1.1']);
    dns.set('all.test', ['169.254.169.254']);
    await using gateway = await startTestGateway(everythingTo(`http://some.test:${a.port}`), {
      PORTCULLIS_DNS_SERVERS: dns.address,
    });
    for (let request = 0; request < 4; request += 1) expect(await textOf(gateway.url)).toBe('127.0.1.1');
    await gateway.publish(everythingTo(`http://all.test:${a.port}`));
    const answer = await fetch(gateway.url);
    expect([answer.status, await answer.json()]).toMatchObject([502, { code: 'upstream_refused' }]);
  });

  it('that is asked for at present is waited for as long as a connection may take', async () => {
    await using dns = await TestDnsServer.start();
    dns.isSilent = true;
    await using gateway = await startTestGateway(everythingTo('http://slow.test', { timeout_ms: { connect: 200 } }), {
      PORTCULLIS_DNS_SERVERS: dns.address,
    });
    const answer = await fetch(gateway.url);
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'name_unresolved' }]);
  });

  it.each(['127.0.1.1', '127.0.1.2', '127.0.1.3'])(
    'leads to the address that takes connections, whichever it is and without a retry (%s)',
    async (address) => {
      await using dns = await TestDnsServer.start();
      await using server = await startAddressServer(address);
      dns.set('pool.test', ['127.0.1.1', '127.0.1.2', '127.0.1.3'], 60);
      await using gateway = await startTestGateway(
        everythingTo(`http://pool.test:${server.port}`, {}, { retries: 0 }),
        { PORTCULLIS_DNS_SERVERS: dns.address },
      );
      for (let request = 0; request < 20; request += 1) {
        expect(await textOf(gateway.url, { method: 'POST', body: 'x' })).toBe(address);
      }
    },
  );

  it('may be localhost', async () => {
    await using server = await startAddressServer('127.0.0.1');
    await using gateway = await startTestGateway(everythingTo(`http://localhost:${server.port}`));
    for (let request = 0; request < 5; request += 1) expect(await textOf(gateway.url)).toBe('127.0.0.1');
  });
});
