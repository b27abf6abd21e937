import { readFile } from 'node:fs/promises';
import { definePlugin } from '@portcullis/plugin-runtime';
import { startUpstream, temporaryFolder } from '@portcullis/testkit';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { everythingTo, exchangeRaw, startTestGateway } from '../testing/test-gateway.test-support.ts';

const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
const span = '00f067aa0ba902b7';
const parent = `00-${trace}-${span}-01`;

/** Sends fields through a gateway. @returns what the upstream got of them, with its fields for the trace */
async function passed(lines: readonly string[], env: Readonly<Record<string, string>> = {}) {
  await using upstream = await startUpstream((_req, res) => void res.end());
  await using gateway = await startTestGateway(everythingTo(upstream.url), env);
  const fields = lines.map((line) => `${line}\r\n`).join('');
  await exchangeRaw(gateway.port, `GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${fields}\r\n`);
  const headers = upstream.requests[0]?.headers ?? {};
  return { parent: headers['traceparent'], state: headers['tracestate'] };
}

const ofOwn = expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/) as string;

describe('trace contexts of requests', () => {
  it.each<[string, readonly string[], { parent: unknown; state: unknown }]>([
    ['a context goes on as it came', [`traceparent: ${parent}`, 'tracestate: a=1'], { parent, state: 'a=1' }],
    ['names have no case', [`TraceParent: ${parent}`], { parent, state: undefined }],
    [
      'a list in several lines is one',
      [`traceparent: ${parent}`, 'tracestate: a=1', 'tracestate: b=2'],
      { parent, state: 'a=1,b=2' },
    ],
    [
      'one of a later version goes on',
      [`traceparent: 01-${trace}-${span}-01-x`],
      { parent: `01-${trace}-${span}-01-x`, state: undefined },
    ],
    [
      'a state that cannot be read does not',
      [`traceparent: ${parent}`, 'tracestate: A B'],
      { parent, state: undefined },
    ],
    ['none is made', [], { parent: ofOwn, state: undefined }],
    ['a state alone is none', ['tracestate: a=1'], { parent: ofOwn, state: undefined }],
    [
      'one that is not valid is made anew',
      [`traceparent: ${parent}-x`, 'tracestate: a=1'],
      { parent: ofOwn, state: undefined },
    ],
    [
      'two are none',
      [`traceparent: ${parent}`, `traceparent: ${parent}`, 'tracestate: a=1'],
      { parent: ofOwn, state: undefined },
    ],
    [
      'a client cannot take it away by naming it',
      [`traceparent: ${parent}`, 'Connection: traceparent'],
      { parent, state: undefined },
    ],
  ])('%s', async (_name, lines, expected) => {
    const got = await passed(lines);
    expect(got).toEqual(expected);
  });

  it('begins a trace anew for a peer that is not trusted, where the operator wants it so', async () => {
    const lines = [`traceparent: ${parent}`, 'tracestate: a=1'];
    const restart = { PORTCULLIS_TRACE_CONTEXT: 'restart' };
    const stranger = await passed(lines, restart);
    expect(stranger).toEqual({ parent: ofOwn, state: undefined });
    expect(stranger.parent).not.toContain(trace);
    expect(await passed(lines, { ...restart, PORTCULLIS_TRUSTED_PROXIES: '127.0.0.0/8' })).toEqual({
      parent,
      state: 'a=1',
    });
  });

  it('leaves them alone where it is switched off', async () => {
    const off = { PORTCULLIS_TRACE_CONTEXT: 'off' };
    expect(await passed([], off)).toEqual({ parent: undefined, state: undefined });
    expect(await passed(['traceparent: x', 'tracestate: A B'], off)).toEqual({ parent: 'x', state: 'A B' });
  });

  it.each([
    ['always_off', '00'],
    ['parentbased_traceidratio', '00'],
    ['always_on', '01'],
  ])('flags a trace that begins here as the sampler %s decides', async (sampler, flags) => {
    const env = { OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: '0' };
    expect((await passed([], env)).parent).toMatch(new RegExp(`-${flags}$`));
    // It records nothing, so it changes nothing of what came.
    expect((await passed([`traceparent: ${parent}`], env)).parent).toBe(parent);
  });

  it('names the trace in the access log', async () => {
    await using folder = await temporaryFolder();
    const accessLog = folder.join('access.log');
    await passed([`traceparent: ${parent}`], { PORTCULLIS_ACCESS_LOG: accessLog });
    expect(JSON.parse(await readFile(accessLog, 'utf8'))).toMatchObject({ trace_id: trace, status: 200 });
  });

  it('shows plugins what goes on, and passes on what they set', async () => {
    const seen: unknown[] = [];
    const plugin = definePlugin({
      name: 'test_trace',
      version: '1.0.0',
      category: 'traffic',
      triggers: ['before_request'],
      config: v.object({}),
      setup: () => ({
        request: ({ request }) => {
          seen.push(request.headers.get('traceparent'));
          return request.path === '/set'
            ? ({ headers: [{ op: 'set', name: 'traceparent', value: 'mine' }] } as const)
            : undefined;
        },
      }),
    });
    await using upstream = await startUpstream((_req, res) => void res.end());
    const resources = {
      ...everythingTo(upstream.url),
      plugins: [{ id: 'p', name: 'test_trace', trigger: 'before_request', config: {} }],
    };
    await using gateway = await startTestGateway(resources, {}, {}, { plugins: [plugin] });
    await fetch(`${gateway.url}/`);
    await fetch(`${gateway.url}/set`);
    const sent = upstream.requests.map(({ headers }) => headers['traceparent']);
    expect(seen).toEqual([ofOwn, ofOwn]);
    expect(sent).toEqual([seen[0], 'mine']);
  });
});
