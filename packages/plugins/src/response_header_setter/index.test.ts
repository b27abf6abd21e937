import { testPlugin } from '@portcullis/plugin-runtime/testing';
import { describe, expect, it } from 'vitest';
import { PluginBench } from '../testing/plugin-bench.ts';
import { responseHeaderSetter } from './index.ts';

describe('response_header_setter', () => {
  it.each([
    ['add keeps what exists', { add: { a: '2', b: '3' } }, ['a', '1'], ['a', '1', 'b', '3']],
    ['add_headers is add', { add_headers: { a: '2' } }, [], ['a', '2']],
    ['set replaces', { set: { a: '2' } }, ['a', '1'], ['a', '2']],
    ['headers is set', { headers: { a: '2' } }, ['a', '1'], ['a', '2']],
    ['set_headers wins', { set: { a: '1' }, headers: { a: '2' }, set_headers: { a: '3' } }, [], ['a', '3']],
    [
      'remove and remove_headers are one list',
      { remove: ['a'], remove_headers: ['b'] },
      ['a', '1', 'b', '2', 'c', '3'],
      ['c', '3'],
    ],
    ['set as a list', { set: ['A: 2', 'b:3'] }, ['a', '1'], ['A', '2', 'b', '3']],
    ['rename as a list', { rename_headers: ['a: z'] }, ['a', '1'], ['z', '1']],
    ['names in another case are the same', { set: { A: '1' }, set_headers: { a: '2' } }, [], ['a', '2']],
    ['rename', { rename: { a: 'z' } }, ['a', '1'], ['z', '1']],
    ['rename_headers is rename', { rename_headers: { a: 'z' } }, ['A', '1'], ['z', '1']],
    [
      'the order is remove, rename, set, add',
      { remove: ['a'], rename: { b: 'a' }, set: { c: '9' }, add: { a: 'no' } },
      ['a', '1', 'b', '2'],
      ['a', '2', 'c', '9'],
    ],
  ])('%s', async (_name, config, before, after) => {
    const exchange = await new PluginBench(responseHeaderSetter, config).response([...before]);
    expect(exchange.response.headers.toPairs()).toEqual(after);
  });

  it("reaches the gateway's own errors with trigger all", async () => {
    const test = testPlugin(responseHeaderSetter.plugin, { config: { set: { a: '1' } } });
    const { status, headers } = await test.send({}, () => Promise.reject(new Error('gone')));
    expect([status, headers['a']]).toEqual([502, '1']);
  });

  it.each<[string, object, string]>([
    ['a line without a colon', { set: ['a'] }, '/set'],
    ['a line with a line break', { set: ['b: 1', 'a: b\r\nc: d'] }, '/set'],
    ['a line of a framing header', { add: ['Content-Length: 0'] }, '/add'],
    ['a new name that is none', { rename: ['a: b c'] }, '/rename'],
    ['an empty list', { set: [] }, '/set'],
    ['a value that is no text', { set: { a: 1 } }, '/set'],
  ])('refuses %s, naming the place', (_name, config, pointer) => {
    const compiled = responseHeaderSetter.plugin.compile(config);
    expect(compiled.ok ? 'accepted' : compiled.issues.map((issue) => issue.pointer)).toContain(pointer);
  });

  it('refuses a config without any operation', () => {
    expect(responseHeaderSetter.plugin.compile({})).toMatchObject({ ok: false, issues: [{ pointer: '' }] });
  });
});
