import { testPlugin } from '@portcullis/plugin-runtime/testing';
import { describe, expect, it } from 'vitest';
import { notedCorrelationId } from '../shared/records/correlation-note.ts';
import { exchangeOf, PluginBench } from '../testing/plugin-bench.ts';
import { correlationId } from './index.ts';

describe('correlation_id', () => {
  it.each([
    ['gives a request without an ID a new one', {}, [], 'id-1'],
    ["keeps the client's ID", {}, ['x-correlation-id', 'abc-1'], 'abc-1'],
    ["replaces the client's ID when told to", { allow_client_override: false }, ['x-correlation-id', 'abc-1'], 'id-1'],
    ['replaces an ID that could do harm in a log', {}, ['x-correlation-id', 'a b"<script>'], 'id-1'],
    ['replaces an ID that is too long', {}, ['x-correlation-id', 'a'.repeat(129)], 'id-1'],
    ['replaces an empty ID', {}, ['x-correlation-id', ''], 'id-1'],
    ['replaces two IDs', {}, ['x-correlation-id', 'a', 'x-correlation-id', 'b'], 'id-1'],
  ])('%s', async (_name, config, headers, id) => {
    const { exchange } = await new PluginBench(correlationId, config).request({ headers });
    expect(exchange.request.headers.getAll('x-correlation-id')).toEqual([id]);
  });

  it.each([
    ['not unless asked', {}, []],
    ['under the same name', { echo_response: true }, ['X-Correlation-ID', 'id-1']],
    ['with the other name of the setting', { echo_downstream: true }, ['X-Correlation-ID', 'id-1']],
    ['under its own name', { echo_response: true, response_header_name: 'X-Echo' }, ['X-Echo', 'id-1']],
    ['because it has a name there', { response_header_name: 'X-Echo' }, ['X-Echo', 'id-1']],
    ['not, though it would have a name there', { response_header_name: 'X-Echo', echo_response: false }, []],
  ])('echoes the ID in the response: %s', async (_name, config, headers) => {
    const { exchange } = await new PluginBench(correlationId, config).request();
    exchange.fail({ code: 'upstream_timeout', message: 'x' }, { status: 504, headers: [] });
    expect(exchange.response.headers.toPairs()).toEqual(headers);
  });

  it('echoes an ID that was kept', async () => {
    const test = testPlugin(correlationId.plugin, { config: { echo_response: true, header_name: 'X-Trace' } });
    expect((await test.send({ headers: { 'X-Trace': 'mine' } })).headers).toEqual({ 'x-trace': 'mine' });
  });

  it('echoes an ID where another plugin refused the request before', async () => {
    const bench = new PluginBench(correlationId, { echo_response: true });
    const exchange = exchangeOf({ headers: ['x-correlation-id', 'mine'] });
    exchange.setResponse({ status: 401, headers: [], source: 'plugin' });
    await bench.chain.runResponse(exchange);
    expect(exchange.response.headers.toPairs()).toEqual(['X-Correlation-ID', 'mine']);
  });

  it('gives the answer the ID of the request and no second one', async () => {
    const bench = new PluginBench(correlationId, { echo_response: true });
    const { exchange } = await bench.request();
    exchange.setResponse({ status: 200, headers: ['x-correlation-id', 'of the service'], source: 'upstream' });
    await bench.chain.runResponse(exchange);
    expect(exchange.response.headers.getAll('x-correlation-id')).toEqual(['id-1']);
  });

  it.each([
    ['a new ID', [], 'id-1'],
    ['an ID that was kept', ['x-trace', 'mine'], 'mine'],
  ])('leaves %s for the records of the request', async (_name, headers, id) => {
    const { exchange } = await new PluginBench(correlationId, { header_name: 'X-Trace' }).request({ headers });
    expect(notedCorrelationId(exchange)).toBe(id);
  });

  it.each(['Content-Length', 'Transfer-Encoding', 'host', 'Expect', 'Connection', 'two words', 'a\r\nb'])(
    'refuses to write the ID into %j',
    (name) => {
      for (const field of ['header_name', 'response_header_name']) {
        const compiled = correlationId.plugin.compile({ [field]: name });
        expect(compiled).toMatchObject({ ok: false, issues: [{ pointer: `/${field}` }] });
      }
    },
  );

  it('refuses two meanings of one setting', () => {
    const compiled = correlationId.plugin.compile({ echo_response: true, echo_downstream: false });
    expect(compiled).toMatchObject({ ok: false, issues: [{ pointer: '/echo_downstream' }] });
  });
});
