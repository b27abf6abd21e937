import { eventually } from '@portcullis/testkit';
import { makeCertificate } from '@portcullis/testkit/certificates';
import { describe, expect, it } from 'vitest';
import { driverCases } from './testing/driver-cases.test-support.ts';
import { type FakeSystem, type Fault, startFakeSystem } from './testing/fake-system.ts';
import { cut, endless, failing, html, redirecting, saying, silent, stalling } from './testing/faults.ts';
import { everythingOf, failureOf, realWorld, stillClock } from './testing/sync.test-support.ts';

const LIMIT_HEADERS = {
  'x-request-id': 'req-1',
  'retry-after': '30',
  'x-ratelimit-limit': '100',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': '1770000000',
  'x-ratelimit-state': 'THROTTLED',
  'x-ratelimit-reason': 'ACCOUNT',
  'x-ratelimit-period-in-sec': '60',
};
const LIMIT_FACTS = {
  request_id: 'req-1',
  retry_after_seconds: 30,
  rate_limit_limit: 100,
  rate_limit_remaining: 0,
  rate_limit_reset: 1_770_000_000,
  rate_limit_state: 'THROTTLED',
  rate_limit_reason: 'ACCOUNT',
  rate_limit_period_seconds: 60,
};

describe.each(driverCases)('$name', ({ driver, behaviour, config, secrets, known, first }) => {
  async function failed(fault: Fault, check: (system: FakeSystem) => void = () => undefined) {
    await using system = await startFakeSystem(behaviour);
    system.fault = fault;
    const error = await failureOf(driver.sync({ config: config(system.url), secrets, ...realWorld() }));
    expect(error.metadata).toMatchObject({ ...known(system.url), request: first });
    for (const secret of Object.values(secrets)) expect(everythingOf(error)).not.toContain(secret);
    check(system);
    return error;
  }

  it.each([
    [400, 'rejected'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [429, 'rate_limited'],
    [418, 'rejected'],
    [500, 'unavailable'],
    [503, 'unavailable'],
    [304, 'redirected'],
    [600, 'unexpected_answer'],
  ])('%i is %s, tells what the head says, and nothing is tried again', async (status, code) => {
    const error = await failed(failing(status, LIMIT_HEADERS), ({ requests }) => expect(requests).toHaveLength(1));
    expect([error.code, error.message]).toEqual([code, expect.stringContaining(String(status))]);
    expect(error.metadata).toMatchObject({ http_status: status, ...LIMIT_FACTS });
    expect(error.message).not.toContain('what a system says');
  });

  it('follows no redirect, wherever it leads', async () => {
    await using elsewhere = await startFakeSystem(behaviour);
    const error = await failed(redirecting(`${elsewhere.url}/api`, 307));
    expect([error.code, error.metadata.http_status, elsewhere.requests]).toEqual(['redirected', 307, []]);
  });

  it.each([
    ['a page for people', html()],
    ['a text that ends early', saying('{"item":')],
    ['nothing', saying('')],
    ['a list', saying('[]')],
    ['null', saying('null')],
    ['an object of another form', saying('{"result":{},"data":[1],"apis":{},"item":"x","items":1,"entry":{}}')],
    ['names that every object has', saying('{"__proto__":{"item":[],"apis":[],"result":[]},"constructor":{}}')],
  ])('%s is no answer', async (_what, fault) => {
    const error = await failed(fault);
    expect([error.code, error.metadata.http_status]).toEqual(['unexpected_answer', 200]);
  });

  it('a body that breaks off is no answer', async () => {
    expect((await failed(cut())).code).toBe('unreachable');
  });

  it('stops reading a body that is too long', async () => {
    const sent = Promise.withResolvers<number>();
    const error = await failed(endless(sent.resolve));
    expect([error.code, error.metadata.http_status]).toEqual(['too_large', 200]);
    // What lies in the sockets' buffers was sent, and not read.
    expect(await sent.promise).toBeLessThan(driver.limits.responseBytesMax + 32 * 1024 * 1024);
  });

  it('believes a length that is too long', async () => {
    const length = String(driver.limits.responseBytesMax + 1);
    const error = await failed((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': length });
      response.write('{');
    });
    expect(error.code).toBe('too_large');
  });

  it.each([
    ['nothing', silent()],
    ['a part', stalling()],
  ])('gives up after its time when %s comes, and not before', async (_what, fault) => {
    await using system = await startFakeSystem(behaviour);
    system.fault = fault;
    const clock = stillClock();
    let isOver = false;
    const sync = failureOf(driver.sync({ config: config(system.url), secrets, fetch, clock })).finally(
      () => (isOver = true),
    );
    await eventually(() => expect(system.requests).toHaveLength(1));
    clock.advance(driver.limits.timeoutMs - 1);
    expect([isOver, clock.pendingTimers]).toEqual([false, 1]);
    clock.advance(1);
    const { code, metadata } = await sync;
    expect([code, metadata, clock.pendingTimers]).toEqual(['timeout', { ...known(system.url), request: first }, 0]);
  });

  it('ends when it is told to, also over a fetch that does not listen', async () => {
    const outer = new AbortController();
    const waiting = Promise.withResolvers<never>();
    const deaf = () => {
      outer.abort(new Error(`who ended it said ${Object.values(secrets).join()}`));
      return waiting.promise;
    };
    const clock = stillClock();
    const error = await failureOf(
      driver.sync({ config: config('http://a.test'), secrets, fetch: deaf, clock, signal: outer.signal }),
    );
    expect([error.code, clock.pendingTimers]).toEqual(['aborted', 0]);
    expect(everythingOf(error)).not.toContain('who ended it');
  });

  it('calls nobody when it is ended before it began', async () => {
    await using system = await startFakeSystem(behaviour);
    const signal = AbortSignal.abort();
    const error = await failureOf(driver.sync({ config: config(system.url), secrets, ...realWorld(), signal }));
    expect([error.code, system.requests]).toEqual(['aborted', []]);
  });

  it('does not trust an authority that the host does not know', async () => {
    const made = makeCertificate({ subject: '127.0.0.1' });
    await using system = await startFakeSystem(behaviour, { tls: { cert: made.pem, key: made.keyPem } });
    const error = await failureOf(driver.sync({ config: config(system.url), secrets, ...realWorld() }));
    expect([error.code, error.message, system.requests]).toEqual([
      'unreachable',
      'no whole answer came (DEPTH_ZERO_SELF_SIGNED_CERT)',
      [],
    ]);
  });

  it('says that nobody listens, and not where', async () => {
    const system = await startFakeSystem(behaviour);
    await system.close();
    const error = await failureOf(driver.sync({ config: config(system.url), secrets, ...realWorld() }));
    expect([error.code, error.message]).toEqual(['unreachable', 'no whole answer came (ECONNREFUSED)']);
  });

  it('says why a guarded host did not call, in words of its own', async () => {
    const codes = ['refused', 'timeout', 'too_large', 'unreachable', 'anything: a secret'];
    const outcomes = codes.map(async (code) => {
      const refusing = () => Promise.reject(Object.assign(new Error('https://10.0.0.1/ with a secret'), { code }));
      return await failureOf(
        driver.sync({ config: config('https://a.test'), secrets, fetch: refusing, clock: stillClock() }),
      );
    });
    const errors = await Promise.all(outcomes);
    expect(errors.map(({ code }) => code)).toEqual(['refused', 'timeout', 'too_large', 'unreachable', 'unreachable']);
    for (const error of errors) expect(everythingOf(error)).not.toMatch(/10\.0\.0\.1|with a secret|anything/);
  });

  it('takes secrets out of what the system echoes', async () => {
    const echoed = Object.values(secrets).filter((secret) => /^[\x21-\x7e]+$/.test(secret));
    const [one = ''] = echoed;
    const error = await failed(failing(500, { 'x-request-id': `id-${one}`, 'x-ratelimit-state': one }));
    expect(error.metadata).toMatchObject({ request_id: 'id-[redacted]', rate_limit_state: '[redacted]' });
  });
});
