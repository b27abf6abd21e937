import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../json.ts';
import { UnsupportedRequestError } from '../errors.ts';
import { type BodyEdits, editedBody } from './edited-body.ts';

function edit(text: string, edits: BodyEdits): string {
  const body: unknown = JSON.parse(text);
  if (!isJsonObject(body)) throw new TypeError('no object');
  return Buffer.from(editedBody({ body, bytes: Buffer.from(text) }, edits)).toString();
}

describe("the client's bytes", () => {
  test.each([
    ['{"model":"a","n":1}', [['model', 'b']], '{"model":"b","n":1}'],
    ['{ "n" : 1 , "model" : "a" }', [['model', 'b']], '{ "n" : 1 , "model" :"b"}'],
    [
      '{"seed":12345678901234567890,"x":1e400,"model":"a"}',
      [['model', 'b']],
      '{"seed":12345678901234567890,"x":1e400,"model":"b"}',
    ],
    [
      '{"a":{"model":"a"},"b":["model"],"c":"\\"model\\":1,"}',
      [['model', 'b']],
      '{"model":"b","a":{"model":"a"},"b":["model"],"c":"\\"model\\":1,"}',
    ],
    [
      '{}',
      [
        ['model', 'b'],
        ['stream', true],
      ],
      '{"model":"b","stream":true}',
    ],
    [' {\n} ', [['model', 'b']], ' {"model":"b"\n} '],
    ['{"model":"é\\\\","x":"\\\\\\""}', [['model', 'b']], '{"model":"b","x":"\\\\\\""}'],
    ['{"__proto__":1,"model":"a"}', [['model', 'b']], '{"__proto__":1,"model":"b"}'],
  ] satisfies [string, BodyEdits, string][])('%s', (text, edits, expected) => {
    expect(edit(text, edits)).toBe(expected);
  });

  test('go on as they are when nothing changes', () => {
    const bytes = Buffer.from('{"model": "a"}');
    expect(editedBody({ body: { model: 'a' }, bytes }, [['model', 'a']])).toBe(bytes);
  });

  test('do not go on when a name is there twice, or written with an escape', () => {
    expect(edit('{"model":"a","model":"x"}', [['model', 'b']])).toBe('{"model":"b"}');
    expect(edit('{"mod\\u0065l":"a"}', [['model', 'b']])).toBe('{"model":"b"}');
    expect(edit('{"model":"x","messages":[1],"messages":[2]}', [['model', 'x']])).toBe('{"model":"x","messages":[2]}');
    expect(edit('{"model":"x","model":"a"}', [])).toBe('{"model":"a"}');
  });
});

test('edited bytes say what the edited object says', () => {
  const name = fc.oneof(fc.constantFrom('model', 'stream', '__proto__', 'a"b', 'a\\', ''), fc.string());
  const members = fc.uniqueArray(fc.tuple(name, fc.jsonValue()), { selector: ([key]) => key, maxLength: 6 });
  fc.assert(
    fc.property(members, fc.constantFrom(undefined, 1, '\t'), fc.jsonValue(), (entries, indent, value) => {
      const body = Object.fromEntries(entries) as JsonObject;
      const text = JSON.stringify(body, null, indent);
      const edits: BodyEdits = [
        ['model', 'b'],
        ['stream', value],
      ];
      expect(JSON.parse(edit(text, edits))).toEqual(
        JSON.parse(JSON.stringify({ ...body, ...Object.fromEntries(edits) })),
      );
    }),
  );
});

test('without bytes the object is written, its members in their places', () => {
  const body = JSON.parse('{"__proto__":{"x":1},"model":"a","n":1}') as JsonObject;
  expect(editedBody({ body }, [['model', 'b']])).toBe('{"__proto__":{"x":1},"model":"b","n":1}');
});

test('what is nested too deeply to be written is refused', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(() => editedBody({ body: { deep } }, [['model', 'b']])).toThrow(UnsupportedRequestError);
});
