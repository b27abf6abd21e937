import { FakeClock } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { FAILURES_MAX } from '../shared/failure-budget.ts';
import { WAITING_MAX, WAITING_PER_SITE_MAX } from '../shared/waiting-room.ts';
import { ask, ldapBench, startFakeDirectory } from './ldap-bench.test-support.ts';
import { BIND_RESPONSE } from './protocol/answers.ts';
import { ENUMERATED, element, integer, octets } from './protocol/ber.ts';
import { message } from './protocol/requests.ts';
import { SignIns, type Attempt, type Outcome } from './sign-ins.ts';
import { FAMILIAR_MS, VERIFIED_MS, type VerifiedUser } from './verified-binds.ts';

const forever = new AbortController().signal;
const user = (name: string): VerifiedUser => ({ name, headers: [] });

/** Sign-ins over a directory that answers when the test says so. */
function held() {
  const clock = new FakeClock();
  const asked: { name: string; signal: AbortSignal; answer: PromiseWithResolvers<VerifiedUser | undefined> }[] = [];
  const signIns = new SignIns(({ username: name }, signal) => {
    const answer = Promise.withResolvers<VerifiedUser | undefined>();
    asked.push({ name, signal, answer });
    return answer.promise;
  }, clock);
  const attempt = (name: string, network = 'n', signal = forever): Promise<Outcome> | Outcome => {
    const given: Attempt = { username: name, password: 'p', digest: name, network };
    return signIns.attempt(given, () => signal);
  };
  /** Presents a pair and answers for the directory. */
  const settle = (name: string, answer: VerifiedUser | undefined, network?: string): Promise<Outcome> | Outcome => {
    const outcome = attempt(name, network);
    if (typeof outcome !== 'string') asked.at(-1)?.answer.resolve(answer);
    return outcome;
  };
  return { clock, asked, signIns, attempt, settle };
}

/** Takes all that a network may be refused. */
async function spend({ settle }: ReturnType<typeof held>, network?: string): Promise<void> {
  for (let index = 0; index < FAILURES_MAX; index += 1)
    expect(await settle(`guess ${network} ${index}`, undefined, network)).toBe('refused');
}

describe('sign-ins', () => {
  it('leave room for other networks, and for those who are known, beside one that asks without end', async () => {
    const directory = held();
    const { attempt, asked, settle, signIns } = directory;
    expect(await settle('known', user('known'))).toEqual(user('known'));
    const flood = Array.from({ length: 40 }, (_, index) => attempt(`junk ${index}`, 'stranger'));
    expect(flood.filter((outcome) => outcome === 'too_many_failures')).toHaveLength(40 - FAILURES_MAX);
    expect(signIns.known('known')).toMatchObject(user('known'));
    expect(await settle('new', user('new'), 'other')).toEqual(user('new'));
    expect(asked).toHaveLength(FAILURES_MAX + 2);
  });

  it('are so many at most that wait, of one network and of all; the same pair is asked about once', async () => {
    const { attempt, asked, settle } = held();
    const all = ['one', 'two'].flatMap((network) => Array.from({ length: 20 }, () => attempt('same', network)));
    const waiting = all.filter((outcome) => outcome !== 'busy');
    expect([waiting.length, asked.length]).toEqual([WAITING_MAX, 1]);
    expect(all.slice(0, 20).filter((outcome) => outcome === 'busy')).toHaveLength(20 - WAITING_PER_SITE_MAX);
    expect(attempt('other', 'three')).toBe('busy');
    asked[0]?.answer.resolve(user('same'));
    const outcomes = await Promise.all(waiting.map(async (outcome) => JSON.stringify(await outcome)));
    expect(new Set(outcomes).size).toBe(1);
    expect(await settle('other', user('other'), 'three')).toEqual(user('other'));
  });

  it('that are accepted, and failures of the directory, cost nothing', async () => {
    const directory = held();
    for (let index = 0; index < 2 * FAILURES_MAX; index += 1) {
      expect(await directory.settle(`user ${index}`, user('u'))).toEqual(user('u'));
      const failed = directory.attempt(`other ${index}`);
      directory.asked.at(-1)?.answer.reject(new Error('gone'));
      await expect(failed).rejects.toThrow('gone');
    }
    await spend(directory);
    expect(directory.attempt('one more')).toBe('too_many_failures');
    directory.clock.advance(1000);
    expect(await directory.settle('one more', undefined)).toBe('refused');
  });

  it('cost those who leave before the answer', async () => {
    const { attempt, asked } = held();
    for (let index = 0; index < FAILURES_MAX; index += 1) {
      const client = new AbortController();
      const left = attempt(`left ${index}`, 'n', client.signal);
      client.abort();
      await expect(left).rejects.toThrow('aborted');
      const last = asked.at(-1);
      expect(last?.signal.aborted).toBe(true);
      last?.answer.reject(new Error('given up'));
    }
    // The last call ends after its callers have left.
    await new Promise((resolve) => setImmediate(resolve));
    expect(attempt('one more')).toBe('too_many_failures');
  });

  it('of who was accepted lately are asked about, whatever their network did, until they are refused', async () => {
    const directory = held();
    const { clock, settle } = directory;
    expect(await settle('jane', user('jane'))).toEqual(user('jane'));
    clock.advance(VERIFIED_MS);
    await spend(directory);
    expect([await settle('jane', user('jane')), await settle('joe', user('joe'))]).toEqual([
      ...[user('jane'), 'too_many_failures'],
    ]);
    expect(await settle('jane', undefined)).toBe('refused');
    clock.advance(FAILURES_MAX * 1000);
    await spend(directory, 'n');
    expect(await settle('jane', user('jane'))).toBe('too_many_failures');
  });

  it('are familiar for an hour', async () => {
    const directory = held();
    expect(await directory.settle('jane', user('jane'))).toEqual(user('jane'));
    directory.clock.advance(FAMILIAR_MS - 1);
    await spend(directory);
    expect(await directory.settle('jane', user('jane'))).toEqual(user('jane'));
    directory.clock.advance(FAMILIAR_MS);
    await spend(directory, 'again');
    expect(directory.attempt('jane', 'again')).toBe('too_many_failures');
  });
});

describe('a directory that is slow', () => {
  it('is no reason to refuse who is known, nor who comes from elsewhere', async () => {
    const bound = message(1, element(BIND_RESPONSE, integer(0, ENUMERATED), octets(''), octets('')));
    await using directory = await startFakeDirectory((socket) => {
      socket.on('data', (chunk) => {
        if (chunk.includes('right')) socket.write(bound);
      });
    });
    const config = { server_url: directory.url, use_ssl: false, user_dn_template: 'uid={username},dc=test' };
    const bench = ldapBench(config);
    expect(await ask(bench, 'jane', 'right')).toBe(200);
    const flood = Array.from({ length: 40 }, (_, index) => ask(bench, `junk${index}`, 'wrong', '203.0.113.9'));
    expect([await ask(bench, 'jane', 'right'), await ask(bench, 'joe', 'right')]).toEqual([200, 200]);
    await directory[Symbol.asyncDispose]();
    expect(new Set(await Promise.all(flood))).toEqual(new Set([429, 503]));
  });
});
