import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIP } from 'node:net';

/** Record types. Source: RFC 1035, section 3.2.2; RFC 3596, section 2.1. */
const types = { a: 1, aaaa: 28 } as const;

/** Answer codes. Source: RFC 1035, section 4.1.1. */
const codes = { none: 0, serverFailure: 2, noSuchName: 3 } as const;

/** What the server says of a name. */
export interface Zone {
  readonly addresses: readonly string[];
  readonly ttlSeconds: number;
}

/** A DNS server on a UDP port of this machine. It answers A and AAAA, and what it does not have with NXDOMAIN. */
export class TestDnsServer implements AsyncDisposable {
  readonly #zones = new Map<string, Zone>();
  readonly #socket = createSocket('udp4');
  /** Names that were asked for, one for each question. */
  readonly questions: string[] = [];
  /** Whether it answers everything with SERVFAIL. */
  isBroken = false;
  /** Whether it keeps its answers back. */
  isSilent = false;

  static async start(): Promise<TestDnsServer> {
    const server = new TestDnsServer();
    server.#socket.on('message', (query, { port, address }) => {
      const answer = server.#answer(query);
      if (answer !== undefined) server.#socket.send(answer, port, address);
    });
    server.#socket.bind(0, '127.0.0.1');
    await once(server.#socket, 'listening');
    return server;
  }

  /** `address:port`. */
  get address(): string {
    return `127.0.0.1:${this.#socket.address().port}`;
  }

  set(name: string, addresses: readonly string[], ttlSeconds = 1): void {
    this.#zones.set(name, { addresses, ttlSeconds });
  }

  delete(name: string): void {
    this.#zones.delete(name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close();
    await once(this.#socket, 'close');
  }

  #answer(query: Buffer): Buffer | undefined {
    const { name, type, end } = readQuestion(query);
    this.questions.push(name);
    if (this.isSilent) return undefined;
    const zone = this.#zones.get(name.toLowerCase());
    if (this.isBroken) return reply(query, end, codes.serverFailure, []);
    if (zone === undefined) return reply(query, end, codes.noSuchName, []);
    const family = type === types.a ? 4 : 6;
    const records = zone.addresses
      .filter((address) => isIP(address) === family)
      .map((address) => record(type, zone.ttlSeconds, address));
    return reply(query, end, codes.none, type === types.a || type === types.aaaa ? records : []);
  }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** The question and records, under the header of RFC 1035, section 4.1.1; additional records of the query are left out. */
function reply(query: Buffer, questionEnd: number, code: number, records: readonly Buffer[]): Buffer {
  const header = Buffer.alloc(12);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  return Buffer.concat([header, query.subarray(12, questionEnd), ...records]);
}

/** A record whose name is that of the question. */
function record(type: number, ttlSeconds: number, address: string): Buffer {
  const data = type === types.a ? Buffer.from(address.split('.').map(Number)) : versionSixBytes(address);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(ttlSeconds, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function versionSixBytes(address: string): Buffer {
  const [before = '', after] = address.split('::');
  const groups = (part: string): number[] => (part === '' ? [] : part.split(':').map((group) => parseInt(group, 16)));
  const [first, last] = [groups(before), groups(after ?? '')];
  const middle = Array.from({ length: 8 - first.length - last.length }, () => 0);
  const bytes = Buffer.alloc(16);
  for (const [index, group] of [...first, ...middle, ...last].entries()) bytes.writeUInt16BE(group, index * 2);
  return bytes;
}
