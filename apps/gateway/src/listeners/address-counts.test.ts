import { EventEmitter } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { AddressCounts, clientOf } from './address-counts.ts';
import { identitiesOf, identityOf, serverCertificate, startListening } from './listening.test-support.ts';
import { openRaw } from '../testing/test-gateway.test-support.ts';

const identities = identitiesOf({ 'a.test': identityOf(serverCertificate('a.test')) });
const keepAlive = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

describe('connections of one client', () => {
  it('are refused beyond the bound, on all ports together, until one of them has gone', async () => {
    await using server = await startListening({
      identities: () => identities,
      perAddress: { max: 2, isExempt: () => false },
    });
    const first = openRaw(server.port);
    first.socket.write(keepAlive);
    await eventually(() => first.text().includes('200 OK'));
    const second = connect(server.tlsPort, '127.0.0.1');
    second.on('error', () => undefined);
    await new Promise((resolve) => second.once('connect', resolve));
    // Who has not said a word has a connection, too.
    const third = openRaw(server.port);
    third.socket.write(keepAlive);
    await third.closed;
    expect(third.text()).toBe('');
    expect(server.refused).toEqual(['address 127.0.0.1']);
    second.destroy();
    const answer = await eventually(async () => {
      const again = openRaw(server.port);
      again.socket.write(keepAlive.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
      await again.closed;
      return again.text().includes('200 OK') && again.text();
    });
    expect(answer).toContain('"encrypted":false');
    first.socket.write(keepAlive);
    await eventually(() => first.text().split('200 OK').length === 3);
    first.socket.destroy();
  });

  it('are counted by whom a trusted proxy names, and those of the proxy itself are not', async () => {
    await using server = await startListening({
      mayName: () => true,
      perAddress: { max: 1, isExempt: (address) => address === '127.0.0.1' },
    });
    const open = (header: string) => {
      const raw = openRaw(server.port);
      raw.socket.write(`${header}\r\n${keepAlive}`);
      return raw;
    };
    const one = open('PROXY TCP4 192.0.2.1 198.51.100.2 8080 443');
    await eventually(() => one.text().includes('"peer":"192.0.2.1"'));
    const same = open('PROXY TCP4 192.0.2.1 198.51.100.2 8081 443');
    await same.closed;
    expect([same.text(), server.refused]).toEqual(['', ['address 192.0.2.1']]);
    const others = [open('PROXY TCP4 192.0.2.2 198.51.100.2 8080 443'), open('PROXY UNKNOWN'), open('PROXY UNKNOWN')];
    for (const other of others) await eventually(() => other.text().includes('200 OK'));
    for (const { socket } of [one, ...others]) socket.destroy();
  });

  it('leave no address behind when they are over', () => {
    const counts = new AddressCounts({ max: 2, isExempt: () => false });
    const sockets = Array.from({ length: 4 }, () => new EventEmitter() as Socket);
    const taken = sockets.map((socket, at) => counts.add(socket, at < 3 ? '::ffff:192.0.2.1' : '192.0.2.2'));
    expect([taken, counts.size]).toEqual([[true, true, false, true], 2]);
    for (const socket of sockets) socket.emit('close');
    expect(counts.size).toBe(0);
  });

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('with the address %s are those of %s', (address, client) => {
    expect(clientOf(address)).toBe(client);
  });

  it('have no bound where nobody sets one', async () => {
    await using server = await startListening();
    const all = Array.from({ length: 50 }, () => openRaw(server.port));
    for (const { socket } of all) socket.write(keepAlive);
    await eventually(() => all.every((one) => one.text().includes('200 OK')));
    expect(server.refused).toEqual([]);
    for (const { socket } of all) socket.destroy();
  });
});
