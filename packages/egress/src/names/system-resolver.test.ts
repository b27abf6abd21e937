import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { temporaryFolder, TestDnsServer } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { HostsFile } from '../adapters/hosts-file.ts';
import { parseHosts } from './parse-hosts.ts';
import { SystemResolver, ttlSecondsWithoutTtl } from './system-resolver.ts';

const noHosts = { addressesOf: () => undefined };

describe('the resolver', () => {
  it('asks name servers for both families and gives the TTLs', async () => {
    await using server = await TestDnsServer.start();
    server.set('pool.test', ['192.0.2.1', '192.0.2.2', '2001:db8::1'], 77);
    const resolver = new SystemResolver({ servers: [server.address], hosts: noHosts, reachesIpv6: () => true });
    expect(await resolver.resolve('pool.test')).toEqual([
      { address: '192.0.2.1', ttlSeconds: 77 },
      { address: '192.0.2.2', ttlSeconds: 77 },
      { address: '2001:db8::1', ttlSeconds: 77 },
    ]);
    expect(resolver.known('pool.test')).toBeUndefined();
  });

  it('gives up what is asked when it is stopped, and does not go on to ask the system', async () => {
    const silent = createSocket('udp4').bind(0, '127.0.0.1');
    await once(silent, 'listening');
    const asked = once(silent, 'message');
    let lookups = 0;
    const systemLookup = async (): Promise<readonly string[]> => [`192.0.2.${(lookups += 1)}`];
    const servers = [`127.0.0.1:${silent.address().port}`];
    const resolver = new SystemResolver({ servers, hosts: noHosts, systemLookup });
    const answer = resolver.resolve('slow.test').catch((error: unknown) => error);
    await asked;
    resolver.stop();
    expect([await answer, lookups]).toMatchObject([{ code: 'ECANCELLED' }, 0]);
    silent.close();
  });

  it('leaves IPv6 out where the machine has none, unless there is nothing else', async () => {
    await using server = await TestDnsServer.start();
    server.set('both.test', ['192.0.2.1', '2001:db8::1']);
    server.set('six.test', ['2001:db8::1']);
    const resolver = new SystemResolver({ servers: [server.address], hosts: noHosts, reachesIpv6: () => false });
    expect(await resolver.resolve('both.test')).toEqual([{ address: '192.0.2.1', ttlSeconds: 1 }]);
    expect(await resolver.resolve('six.test')).toEqual([{ address: '2001:db8::1', ttlSeconds: 1 }]);
  });

  it('asks the system when the name servers know nothing, and fails when nobody does', async () => {
    await using server = await TestDnsServer.start();
    const asked: string[] = [];
    const systemLookup = async (name: string): Promise<readonly string[]> => {
      asked.push(name);
      return ['::ffff:192.0.2.9'];
    };
    const servers = [server.address];
    const resolver = new SystemResolver({ servers, hosts: noHosts, systemLookup });
    expect(await resolver.resolve('short')).toEqual([{ address: '192.0.2.9', ttlSeconds: ttlSecondsWithoutTtl }]);
    expect(asked).toEqual(['short']);
    await expect(new SystemResolver({ servers, hosts: noHosts }).resolve('short')).rejects.toThrow('ENOTFOUND');
    server.isBroken = true;
    await expect(new SystemResolver({ servers, hosts: noHosts }).resolve('short')).rejects.toThrow('ESERVFAIL');
  });

  it('reads the hosts file first, and again when it was changed', async () => {
    await using server = await TestDnsServer.start();
    await using folder = await temporaryFolder();
    const path = folder.join('hosts');
    const hosts = new HostsFile(path);
    const resolver = new SystemResolver({ servers: [server.address], hosts });
    expect(resolver.known('app.test')).toBeUndefined();
    await writeFile(path, '192.0.2.5 app.test\n');
    expect(resolver.known('app.test')).toEqual([{ address: '192.0.2.5', ttlSeconds: ttlSecondsWithoutTtl }]);
    expect(await resolver.resolve('app.test')).toEqual(resolver.known('app.test'));
    expect(server.questions).toEqual([]);
  });

  it('knows localhost without any file', () => {
    const resolver = new SystemResolver({ hosts: new HostsFile('/nowhere/hosts') });
    for (const name of ['localhost', 'localhost.', 'a.localhost']) {
      expect(resolver.known(name)?.map(({ address }) => address)).toEqual(['127.0.0.1', '::1']);
    }
  });
});

describe('a hosts file', () => {
  it('has names, aliases and comments', () => {
    const text = '# hosts\n127.0.0.1\tlocalhost Box  # me\n::1 localhost\nnonsense x\n\n10.0.0.1 box box\r\n';
    expect(Object.fromEntries(parseHosts(text))).toEqual({
      localhost: ['127.0.0.1', '::1'],
      box: ['127.0.0.1', '10.0.0.1'],
    });
  });
});
