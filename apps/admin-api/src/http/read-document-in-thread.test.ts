import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DocumentAssembly, piecesOf } from './document-pieces.ts';
import { type DocumentResult, readDocument } from './read-document.ts';
import { readDocumentAside } from './read-document-in-thread.ts';

const large = Array.from(
  { length: 9_000 },
  (_, index) => `- {id: r${index}, path: "/a/${index}", methods: [GET, POST], limit: ${index}}`,
);

const readYaml = (text: string, caller = 'acme'): Promise<DocumentResult> =>
  readDocumentAside({ bytes: new TextEncoder().encode(text), syntax: 'yaml', withDigest: false }, caller);

describe('a large body', () => {
  it('gives the same for large documents as for small ones, mistakes included', async () => {
    const read = await readYaml(large.join('\n'));
    expect(read.ok && (read.document as unknown[])[8_999]).toEqual({
      id: 'r8999',
      path: '/a/8999',
      methods: ['GET', 'POST'],
      limit: 8_999,
    });
    expect(await readYaml([...large, '- {a: 1, a: 2}'].join('\n'))).toMatchObject({
      ok: false,
      message: expect.stringMatching(/twice.*\(line 9001, column 10\)$/) as unknown,
    });
  });

  it('lets everyone else go on while it parses', async () => {
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const text = large.join('\n');
    const results = await Promise.all(['acme', 'globex', 'acme'].map((caller) => readYaml(text, caller)));
    clearInterval(timer);
    expect(results.every((result) => result.ok)).toBe(true);
    // Parsed in this thread each of the texts would leave it a turn or two.
    expect(turns).toBeGreaterThan(10);
  });

  it('says to come back when too many of a caller wait, while another is read', async () => {
    const text = large.slice(0, 1_500).join('\n');
    const busy = Promise.allSettled(Array.from({ length: 20 }, () => readYaml(text, 'acme')));
    expect((await readYaml(text, 'globex')).ok).toBe(true);
    const reasons = (await busy).flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(reasons.map((reason: { code: string }) => reason.code)).toEqual(
      Array.from({ length: 15 }, () => 'unavailable'),
    );
  }, 60_000);

  it('of JSON is the same as a small one would be: document, digest, and what cannot be stored', async () => {
    const services = Array.from({ length: 9_000 }, (_, index) => ({
      id: `s${index}`,
      tags: ['a', null, 1.5],
      more: {},
    }));
    const bytesOf = (document: unknown) => new TextEncoder().encode(JSON.stringify(document));
    const documents = [
      { tenant_id: 'acme', services, after: [[]] },
      { services, bad: 'a\ud800', 'k\u0000': 1 },
      services,
    ];
    for (const document of documents) {
      expect(bytesOf(document).length).toBeGreaterThan(400_000);
      const padded = (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.alloc(600_000, ' ')]);
      const job = { syntax: 'json', withDigest: true } as const;
      const aside = await readDocumentAside({ ...job, bytes: padded(bytesOf(document)) }, 'acme');
      expect(JSON.stringify(aside)).toBe(JSON.stringify(readDocument({ ...job, bytes: bytesOf(document) })));
      expect(aside.ok && JSON.stringify(aside.document)).toBe(JSON.stringify(document));
    }
    const broken = Buffer.concat([bytesOf(services), Buffer.alloc(600_000, ' '), Buffer.from([0xff])]);
    expect(await readDocumentAside({ bytes: broken, syntax: 'json', withDigest: false }, 'acme')).toEqual({
      ok: false,
      message: 'The body is not valid UTF-8',
    });
  }, 60_000);
});

describe('the pieces of a document', () => {
  it('make it whole again, in its order, and none is much larger than the budget', () => {
    const values = fc.jsonValue({ maxDepth: 6 }).filter((value) => !JSON.stringify(value).includes('__proto__'));
    fc.assert(
      fc.property(values, fc.integer({ min: 1, max: 20 }), (value, budget) => {
        const assembly = new DocumentAssembly();
        for (const piece of piecesOf(value, budget)) {
          // One for each level that opens at once.
          expect(piece.length).toBeLessThanOrEqual(budget + 8);
          assembly.add(structuredClone(piece));
        }
        expect(JSON.stringify(assembly.document())).toBe(JSON.stringify(value));
      }),
    );
  });
});
