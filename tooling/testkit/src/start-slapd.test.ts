import { existsSync } from 'node:fs';
import { connect } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { eventually, hasSlapd, startSlapd } from './index.ts';

describe.skipIf(!hasSlapd)('startSlapd (needs slapd)', () => {
  it('gives a directory that speaks TLS under a certificate of its authority, and logs what it does', async () => {
    await using slapd = await startSlapd([{ uid: 'jane', password: 'secret' }]);
    const socket = connect({ port: slapd.tlsPort, host: '127.0.0.1', servername: 'ldap.test', ca: slapd.caPem });
    await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
    expect(socket.authorized).toBe(true);
    socket.destroy();
    await eventually(() => slapd.logged(/ACCEPT .*:\d+ /) > 0);
  });

  it('leaves no process and no file', async () => {
    const slapd = await startSlapd([]);
    const { folder } = slapd;
    expect(existsSync(folder)).toBe(true);
    await slapd[Symbol.asyncDispose]();
    expect([slapd.process.running(), existsSync(folder)]).toEqual([false, false]);
  });
});
