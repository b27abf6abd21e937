import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './http-app.test-support.ts';
import jsonTexts from './testdata/json-parsing.json' with { type: 'json' };
import yamlTexts from './testdata/yaml-documents.json' with { type: 'json' };

let test: TestServer;
beforeAll(async () => {
  test = await startTestServer(fetch);
});
afterAll(() => test.server.stop(1000));

/** What the server makes of a text: no document, one that is read (whatever it holds), or too large. */
async function outcomeOf(text: string, contentType: string): Promise<'refused' | 'read' | 'too large' | number> {
  const { status } = await test.post('/documents', bytesOf(text), contentType);
  if (status === 400) return 'refused';
  if (status === 413) return 'too large';
  return status === 200 || status === 422 ? 'read' : status;
}

/** In the data, U+FFFD stands for bytes that are no UTF-8. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const parts = text.split('\ufffd').map((part) => Buffer.from(part));
  return new Uint8Array(Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [Buffer.of(0xff), part]))));
}

interface Case {
  readonly name: string;
  readonly text: string;
}

/** The texts by what the server makes of them. */
async function outcomesOf<Of extends Case>(cases: readonly Of[], type: string): Promise<Map<string, readonly Of[]>> {
  const outcomes = new Map<string, Of[]>();
  for (const one of cases) {
    const outcome = `${await outcomeOf(one.text, type)}`;
    outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), one]);
  }
  return outcomes;
}

it('the texts of JSONTestSuite are read or refused as they say, but for keys given twice', async () => {
  const all = [
    ...jsonTexts,
    { name: 'n_structure_100000_opening_arrays', text: '['.repeat(100_000) },
    { name: 'n_structure_open_array_object', text: '[{"":'.repeat(50_000) },
  ];
  expect(all).toHaveLength(318);
  const outcomes = await outcomesOf(all, 'application/json');
  const names = (outcome: string, kind: string): readonly string[] =>
    (outcomes.get(outcome) ?? []).map(({ name }) => name).filter((name) => name.startsWith(kind));
  // No other answer, least of all one that says that the server failed.
  expect([...outcomes.keys()].toSorted()).toEqual(['read', 'refused', 'too large']);
  expect(names('too large', '')).toEqual(['n_structure_100000_opening_arrays', 'n_structure_open_array_object']);
  expect(names('read', 'n_')).toEqual([]);
  expect(names('refused', 'y_')).toEqual(['y_object_duplicated_key', 'y_object_duplicated_key_and_value']);
  // The suite leaves open what becomes of bytes that are no UTF-8. A byte order mark is.
  expect(names('read', 'i_').filter((name) => /utf-?(?:8|16)/i.test(name))).toEqual([
    'i_structure_UTF-8_BOM_empty_object',
  ]);
});

it('the documents of yaml-test-suite are read or refused, and none that is an error holds anything', async () => {
  expect([yamlTexts.length, yamlTexts.filter(({ isError }) => isError).length]).toEqual([402, 94]);
  const outcomes = await outcomesOf(yamlTexts, 'application/yaml');
  expect([...outcomes.keys()].toSorted()).toEqual(['read', 'refused']);
  const read = outcomes.get('read') ?? [];
  // That one says its version twice, and holds nothing.
  expect(read.filter(({ isError }) => isError).map(({ name }) => name)).toEqual(['SF5V']);
  // Tags, keys that are no plain values, and several documents are refused of those that are right; the others are not.
  expect(read.length).toBeGreaterThan(200);
});
