import { describe, expect, it } from 'vitest';
import { FAILURES_MAX } from '../shared/failure-budget.ts';
import { WAITING_PER_SITE_MAX } from '../shared/waiting-room.ts';
import { ask, basic, consumers, ldapBench, startFakeDirectory } from './ldap-bench.test-support.ts';
import { BIND_RESPONSE } from './protocol/answers.ts';
import { ENUMERATED, element, integer, octets } from './protocol/ber.ts';
import { message } from './protocol/requests.ts';

const [SUCCESS, INVALID_CREDENTIALS] = [0, 49];
const bound = (code: number): Buffer =>
  Buffer.from(message(1, element(BIND_RESPONSE, integer(code, ENUMERATED), octets(''), octets(''))));

/** Accepts the password `right`, refuses `wrong`, and never answers to others. */
const startDirectory = () =>
  startFakeDirectory((socket) => {
    socket.on('data', (chunk) => {
      if (chunk.includes('right')) socket.write(bound(SUCCESS));
      if (chunk.includes('wrong')) socket.write(bound(INVALID_CREDENTIALS));
    });
  });

function loggingBench(url: string) {
  const lines: unknown[] = [];
  const log = { debug: (...line: unknown[]) => void lines.push(line), warn: () => undefined, error: () => undefined };
  const config = { server_url: url, use_ssl: false, user_dn_template: 'uid={username},dc=test' };
  return { lines, bench: ldapBench(config, { log }) };
}

const line = (reason: string): unknown => [
  'refused a request',
  expect.objectContaining({ reason, request_id: 'r1', plugin: 'ldap_auth' }),
];

describe('the operator who asks for it is told why a request is refused', () => {
  it.each<[string, readonly string[]]>([
    ['no_credentials', []],
    ['no_credentials', ['Authorization', 'Bearer abc']],
    ['several_credentials', [...basic('jane', 'right'), ...basic('jane', 'right')]],
    ['malformed_credentials', ['Authorization', 'Basic abc']],
    ['malformed_credentials', basic('jane', 'x'.repeat(10_000))],
    ['malformed_username', basic('ja\u00adne', 'right')],
    ['empty_password', basic('jane', '')],
    ['refused_by_directory', basic('jane', 'wrong')],
    ['consumer_disabled', basic('gone', 'right')],
  ])('%s', async (reason, headers) => {
    await using directory = await startDirectory();
    const { bench, lines } = loggingBench(directory.url);
    const known = {
      ...consumers,
      findConsumer: (name: string) => (name === 'gone' ? ('disabled' as const) : undefined),
    };
    await bench.request({ headers, consumers: known });
    expect(lines).toEqual([line(reason)]);
    expect(JSON.stringify(lines)).not.toMatch(/jane|gone|right|wrong/);
  });

  it('too_many_failures', async () => {
    await using directory = await startDirectory();
    const { bench, lines } = loggingBench(directory.url);
    for (let index = 0; index < FAILURES_MAX; index += 1) expect(await ask(bench, `u${index}`, 'wrong')).toBe(401);
    expect(await ask(bench, 'jane', 'right')).toBe(429);
    expect(lines.at(-1)).toEqual(line('too_many_failures'));
  });

  it('busy', async () => {
    await using directory = await startDirectory();
    const { bench, lines } = loggingBench(directory.url);
    const held = Array.from({ length: WAITING_PER_SITE_MAX }, () => ask(bench, 'jane', 'no answer'));
    expect(await ask(bench, 'joe', 'right')).toBe(429);
    expect(lines).toEqual([line('busy')]);
    await directory[Symbol.asyncDispose]();
    await Promise.all(held);
  });
});
