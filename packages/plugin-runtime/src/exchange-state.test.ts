import { describe, expect, it } from 'vitest';
import { createRuntime, type HookOutcome, type PluginHooks, type RequestEdits, type ResponseEdits } from './index.ts';
import { exchangeOf, gateway, handClock, pluginOf } from './testing/fixtures.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (body: Uint8Array | undefined) => new TextDecoder().decode(body);

function chainOf(...hooks: PluginHooks[]) {
  const plugins = hooks.map((given, index) => pluginOf(`plugin_${index}`, () => given));
  const instances = plugins.map(({ name }) => ({ id: name, name, trigger: 'all' }) as const);
  return createRuntime({ plugins, instances }).chainFor({ gateway });
}

describe('request edits', () => {
  it('show to later hooks and to the host, not to earlier ones', () => {
    const seen: string[] = [];
    const edits: RequestEdits = { path: '/b', query: 'x=1', headers: [{ op: 'set', name: 'a', value: '1' }] };
    const look: PluginHooks['request'] = ({ request }) => void seen.push(`${request.url} ${request.headers.get('a')}`);
    const exchange = exchangeOf({ path: '/a', authority: 'api.test:8000' });
    void chainOf({ request: look }, { request: () => edits }, { request: look }).runRequest(exchange);
    expect(seen).toEqual(['http://api.test:8000/a undefined', 'http://api.test:8000/b?x=1 1']);
    expect([exchange.request.path, exchange.request.query]).toEqual(['/b', 'x=1']);
  });

  it('of the body give later hooks the new bytes and put the framing right', async () => {
    const exchange = exchangeOf({
      headers: ['Content-Length', '3', 'Content-Encoding', 'gzip', 'Transfer-Encoding', 'chunked'],
      readBody: () => Promise.resolve(bytes('old')),
    });
    let seen: string | undefined;
    await chainOf(
      { request: () => ({ body: 'löng' }) },
      { request: async ({ request }) => void (seen = text(await request.readBody(100))) },
    ).runRequest(exchange);
    expect([seen, text(exchange.request.body)]).toEqual(['löng', 'löng']);
    expect(exchange.request.headers.toPairs()).toEqual(['content-length', '5']);
  });

  it('leave the body to the host when nobody touched it', () => {
    const exchange = exchangeOf({ readBody: () => Promise.resolve(bytes('old')) });
    void chainOf({ request: () => ({ path: '/b' }) }).runRequest(exchange);
    expect(exchange.request.body).toBeUndefined();
  });

  it('say who the client is, for later hooks', () => {
    const exchange = exchangeOf();
    let seen: string | undefined;
    void chainOf(
      { request: () => ({ consumer: { id: 'c1', groups: [] } }) },
      { request: ({ consumer }) => void (seen = consumer?.id) },
    ).runRequest(exchange);
    expect([seen, exchange.consumer?.id]).toEqual(['c1', 'c1']);
  });

  it('are taken as they were returned, whatever becomes of them afterwards', () => {
    const edit = { op: 'set', name: 'a', value: 'good' } as { op: 'set'; name: string; value: string };
    const list = [edit];
    const groups = ['gold'];
    const exchange = exchangeOf();
    const hook = () => ({ responseHeaders: list, consumer: { id: 'c1', groups } });
    void chainOf({ request: hook }).runRequest(exchange);
    edit.value = 'bad\r\nb: c';
    list.push(edit);
    groups.pop();
    exchange.setResponse({ status: 200, headers: [], source: 'upstream' });
    expect(exchange.response.headers.toPairs()).toEqual(['a', 'good']);
    expect(exchange.consumer).toEqual({ id: 'c1', groups: ['gold'] });
  });

  it.each<[string, (list: object[]) => readonly object[]]>([
    ['the list is not frozen', (list) => list],
    ['an edit is not frozen', (list) => Object.freeze(list)],
  ])('are checked for each request while they can change: %s', async (_name, frozen) => {
    const edit = { op: 'set', name: 'a', value: 'good' };
    const headers = frozen([edit]) as RequestEdits['headers'] & object;
    const chain = chainOf({ request: () => ({ headers }) });
    const [first, second] = [exchangeOf(), exchangeOf()];
    await chain.runRequest(first);
    edit.value = 'bad\r\nb: c';
    await chain.runRequest(second);
    expect([first.request.headers.get('a'), second.request.headers.get('a')]).toEqual(['good', undefined]);
  });

  it('that cannot change any more apply to every request', async () => {
    const headers = Object.freeze([Object.freeze({ op: 'append', name: 'a', value: '1' } as const)]);
    const chain = chainOf({ request: () => ({ headers, responseHeaders: headers }) });
    for (let count = 0; count < 2; count += 1) {
      const exchange = exchangeOf();
      await chain.runRequest(exchange);
      exchange.setResponse({ status: 200, headers: [], source: 'upstream' });
      expect([exchange.request.headers.toPairs(), exchange.response.headers.toPairs()]).toEqual([
        ['a', '1'],
        ['a', '1'],
      ]);
    }
  });

  it.each<[string, (exchange: ReturnType<typeof exchangeOf>) => void]>([
    ['the upstream’s answer', (exchange) => exchange.setResponse({ status: 200, headers: [], source: 'upstream' })],
    ['an error', (exchange) => exchange.fail({ code: 'x', message: 'x' }, { status: 502, headers: [] })],
  ])('of response headers reach %s', (_name, answer) => {
    const exchange = exchangeOf();
    void chainOf(
      { request: () => ({ responseHeaders: [{ op: 'set', name: 'a', value: '1' }] }) },
      { request: () => ({ responseHeaders: [{ op: 'append', name: 'a', value: '2' }] }) },
    ).runRequest(exchange);
    answer(exchange);
    expect(exchange.response.headers.getAll('a')).toEqual(['1', '2']);
  });
});

describe('readBody', () => {
  it.each<[number, string | undefined]>([
    [3, 'old'],
    [2, undefined],
  ])('with a bound of %i bytes gives %s', async (bytesMax, given) => {
    const exchange = exchangeOf({ readBody: () => Promise.resolve(bytes('old')) });
    const body = await exchange.request.readBody(bytesMax);
    expect(body === undefined ? undefined : text(body)).toBe(given);
  });

  it('gives nothing but an empty body where there is none', async () => {
    expect(await exchangeOf().request.readBody(10)).toHaveLength(0);
  });
});

describe('a response in the request stage', () => {
  it('stops the request, and still goes through the response stage', () => {
    const ran: string[] = [];
    const exchange = exchangeOf();
    const chain = chainOf(
      { request: () => ({ status: 403, headers: ['x-why', 'no'], body: 'stop' }) },
      {
        request: () => void ran.push('request'),
        response: ({ response }) => void ran.push(`response ${response.status} ${response.source}`),
      },
    );
    expect([chain.runRequest(exchange), chain.runResponse(exchange)]).toEqual(['respond', 'continue']);
    expect(ran).toEqual(['response 403 plugin']);
    expect([text(exchange.response.body), exchange.response.headers.toPairs()]).toEqual([
      'stop',
      ['x-why', 'no', 'content-length', '4'],
    ]);
  });

  it('has one true length, whatever the plugin says, and none where there can be none', () => {
    const lengthOf = (status: number, headers: string[]) => {
      const exchange = exchangeOf();
      void chainOf({ request: () => ({ status, headers }) }).runRequest(exchange);
      return exchange.response.headers.toPairs();
    };
    expect(lengthOf(200, ['Content-Length', '99', 'Transfer-Encoding', 'chunked'])).toEqual(['content-length', '0']);
    expect(lengthOf(204, [])).toEqual([]);
  });
});

describe('the response stage', () => {
  const answered = () => {
    const exchange = exchangeOf();
    exchange.setResponse({
      status: 200,
      headers: ['content-encoding', 'gzip', 'x', '1'],
      source: 'upstream',
      readBody: () => Promise.resolve(bytes('body')),
    });
    return exchange;
  };

  it('edits status, headers and body', () => {
    const exchange = answered();
    const edits: ResponseEdits = { replaceStatus: 201, headers: [{ op: 'remove', name: 'x' }], body: 'new' };
    expect(chainOf({ response: () => edits }).runResponse(exchange)).toBe('continue');
    expect([exchange.response.status, text(exchange.response.body), exchange.response.headers.toPairs()]).toEqual([
      201,
      'new',
      ['content-length', '3'],
    ]);
  });

  it('lets a plugin put its own response in place, and runs the rest on that', () => {
    const exchange = answered();
    let seen: number | undefined;
    const chain = chainOf(
      { response: () => ({ status: 429 }) },
      { response: ({ response }) => void (seen = response.status) },
    );
    expect([chain.runResponse(exchange), seen, exchange.response.source]).toEqual(['respond', 429, 'plugin']);
  });

  it('lets hooks read the body that the host streams', async () => {
    let seen: string | undefined;
    await chainOf({ response: async ({ response }) => void (seen = text(await response.readBody(10))) }).runResponse(
      answered(),
    );
    expect(seen).toBe('body');
  });
});

describe('steps', () => {
  it('are recorded when asked for, with outcome and time, skipped and failed ones too', async () => {
    const { clock, timers } = handClock();
    const hooks: Record<string, PluginHooks> = {
      a_goes_on: { request: () => clock.advance(2) },
      b_breaks: {
        request: () => {
          throw new Error('x');
        },
      },
      c_waits: { request: () => new Promise<undefined>((resolve) => timers.set(() => resolve(undefined), 30)) },
      d_answers: { request: () => ({ status: 200 }) },
    };
    const plugins = Object.entries(hooks).map(([name, given]) => pluginOf(name, () => given));
    const ended: [string, HookOutcome, number][] = [];
    const chain = createRuntime({
      plugins,
      instances: plugins.map(({ name }) => ({ id: name, name })),
      clock,
      timers,
      events: { onHookEnd: ({ name }, _stage, outcome, durationMs) => ended.push([name, outcome, durationMs]) },
    }).chainFor({ gateway });
    const exchange = exchangeOf({}, { recordSteps: true });
    const result = chain.runRequest(exchange);
    clock.advance(30);
    await result;
    expect(exchange.steps).toEqual([
      { name: 'a_goes_on', stage: 'request', outcome: 'continue', duration_us: 2000 },
      { name: 'b_breaks', stage: 'request', outcome: 'skipped', duration_us: 0 },
      { name: 'c_waits', stage: 'request', outcome: 'continue', duration_us: 30_000 },
      { name: 'd_answers', stage: 'request', outcome: 'respond', duration_us: 0 },
    ]);
    expect(ended.map(([name, outcome]) => `${name} ${outcome}`)).toEqual([
      'a_goes_on continue',
      'b_breaks skipped',
      'c_waits continue',
      'd_answers respond',
    ]);
  });

  it('are not kept otherwise', () => {
    expect(exchangeOf().steps).toBeUndefined();
  });
});
