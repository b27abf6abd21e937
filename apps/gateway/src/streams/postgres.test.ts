import { freePort } from '@portcullis/testkit';
import { alternativeNames, generalName, makeAuthority, makeCertificate } from '@portcullis/testkit/certificates';
import { Client, type ClientConfig } from 'pg';
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../testing/test-gateway.test-support.ts';

const POSTGRES_URL = process.env['PORTCULLIS_TEST_POSTGRES_URL'];

/** Rows of one answer, and bytes of each: together more than all buffers between the two. */
const rows = 20_000;
const rowBytes = 1000;

describe.skipIf(POSTGRES_URL === undefined)('PostgreSQL (PORTCULLIS_TEST_POSTGRES_URL)', () => {
  const server = new URL(POSTGRES_URL ?? 'postgres://localhost');

  /** One session: a large answer, a large question, notices in between, a mistake that leaves the session whole. */
  async function useSession(place: ClientConfig): Promise<readonly unknown[]> {
    const client = new Client({
      user: decodeURIComponent(server.username),
      password: decodeURIComponent(server.password),
      database: server.pathname.slice(1),
      ...place,
    });
    await client.connect();
    try {
      const large = await client.query<{ text: string }>(
        `SELECT repeat(chr(65 + n % 26), ${rowBytes}) AS text FROM generate_series(1, ${rows}) AS n`,
      );
      expect(large.rows).toHaveLength(rows);
      const letterOf = (index: number): string => String.fromCodePoint(65 + ((index + 1) % 26));
      expect(large.rows.every(({ text }, index) => text === letterOf(index).repeat(rowBytes))).toBe(true);
      const asked = 'x'.repeat(8 * 1024 * 1024);
      const { rows: answered } = await client.query<{ length: number }>('SELECT length($1::text) AS length', [asked]);
      expect(answered).toEqual([{ length: asked.length }]);
      await expect(client.query('SELEC 1')).rejects.toMatchObject({ code: '42601' });
      const transaction = ['BEGIN', 'CREATE TEMP TABLE seen (n int)', 'INSERT INTO seen VALUES (7)'];
      for (const statement of transaction) await client.query(statement);
      const { rows: seen } = await client.query('SELECT n FROM seen');
      await client.query('ROLLBACK');
      return seen;
    } finally {
      await client.end();
    }
  }

  it('is reached through a route for tcp, by many sessions at a time', async () => {
    const port = await freePort();
    await using gateway = await startTestGateway(
      {
        services: [{ id: 's1', name: 'db', url: `tcp://${server.hostname}:${server.port || 5432}` }],
        routes: [{ id: 'r1', name: 'db', service_id: 's1', protocols: ['tcp'], destinations: [{ port }] }],
      },
      { PORTCULLIS_STREAM_PORTS: `${port}` },
    );
    const sessions = Array.from({ length: 4 }, () => useSession({ host: '127.0.0.1', port }));
    expect(await Promise.all(sessions)).toEqual(sessions.map(() => [{ n: 7 }]));
    await gateway.stop();
    const counters = gateway.controlPlane.batches.flatMap((batch) => batch.counters);
    const requests = counters.reduce((sum, counter) => sum + counter.requests, 0);
    expect([requests, counters[0]?.route_id]).toEqual([4, 'r1']);
  });

  it('is reached through TLS that ends at the gateway, with the ALPN of PostgreSQL', async () => {
    const authority = makeAuthority({ subject: 'CA' });
    const { pem, keyPem } = makeCertificate({
      subject: 'db.test',
      issuer: authority,
      extensions: [alternativeNames(generalName.dns('db.test'))],
    });
    await using gateway = await startTestGateway({
      services: [{ id: 's1', name: 'db', url: `tcp://${server.hostname}:${server.port || 5432}` }],
      routes: [{ id: 'r1', name: 'db', service_id: 's1', protocols: ['tcp'], snis: ['db.test'] }],
      certificates: [{ id: 'c1', name: 'db', cert: pem, key: keyPem }],
      snis: [{ id: 'n1', name: 'db.test', certificate_id: 'c1' }],
    });
    const ssl = { ca: authority.pem, servername: 'db.test' };
    const place = { host: '127.0.0.1', port: gateway.tlsPort, ssl, sslnegotiation: 'direct' } as const;
    expect(await useSession(place)).toEqual([{ n: 7 }]);
  });
});
