import fc from 'fast-check';
import { expect, it } from 'vitest';
import { exportLine, verifyExport, type ExportRecord, type Verdict, type VerifierOptions } from '../index.ts';
import { MUTATIONS, tenantOf, type Tampered } from '../testing/mutations.test-support.ts';
import { noteOver, ORIGIN, sampleLog, SIGNER, type SampleEvent } from '../testing/sample-log.test-support.ts';

const KEYS = { keys: [SIGNER.verifierKey], origin: ORIGIN };
const GLOBAL = { scope: { kind: 'global' } } as const;

const event = fc.record({
  tenantId: fc.constantFrom('acme', 'globex', ''),
  entityId: fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\u0000')),
  after: fc.dictionary(
    fc.string({ maxLength: 5 }),
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.double({ max: 1e15, min: -1e15, noNaN: true })),
  ),
});
const events = fc
  .array(event, { minLength: 4, maxLength: 16 })
  .filter((list) => !JSON.stringify(list).includes(String.raw`\u0000`));
const ofOneTenant = events.map((list) => list.map((one): SampleEvent => ({ ...one, tenantId: 'acme' })));

function textOf(records: readonly ExportRecord[]): string {
  return records.map((record) => `${exportLine(record)}\n`).join('');
}

function verify(records: readonly ExportRecord[], options: VerifierOptions): Promise<Verdict> {
  return verifyExport([textOf(records)], { ...KEYS, ...options });
}

/** What is said of a log that was tampered with, and what has to be said. */
async function judge(log: readonly ExportRecord[], tampered: Tampered, scope: VerifierOptions) {
  const { checkpoints = [noteOver(log)], newest, kind, firstBad } = tampered;
  const verdict = await verify(tampered.records, { ...scope, checkpoints, newest });
  return { verdict, expected: { outcome: 'tampered', kind, firstBad } };
}

it.each(Object.entries(MUTATIONS))(
  '%s: named, with the first sequence, in the log of all tenants',
  async (_name, mutate) => {
    await fc.assert(
      fc.asyncProperty(events, fc.nat(), async (list, place) => {
        const log = sampleLog(list);
        const { verdict, expected } = await judge(log, mutate(log, 1 + (place % (log.length - 3))), GLOBAL);
        expect(verdict).toMatchObject(expected);
      }),
      { numRuns: 40 },
    );
  },
);

it.each(Object.entries(MUTATIONS))('%s: named in the log of one tenant', async (_name, mutate) => {
  const scope = { scope: { kind: 'tenant', tenantId: 'acme' } } as const;
  await fc.assert(
    fc.asyncProperty(ofOneTenant, fc.nat(), async (list, place) => {
      const log = sampleLog(list);
      const { verdict, expected } = await judge(log, mutate(log, 1 + (place % (log.length - 3))), scope);
      expect(verdict).toMatchObject(expected);
    }),
    { numRuns: 30 },
  );
});

it('raises no alarm on clean logs, whole, of each tenant, and with values erased', async () => {
  await fc.assert(
    fc.asyncProperty(events, fc.array(fc.nat(), { maxLength: 4 }), fc.nat(), async (list, sizes, erased) => {
      const log = sampleLog(list);
      const checkpoints = sizes.map((size) => noteOver(log, size % (log.length + 1)));
      expect((await verify(log, { ...GLOBAL, checkpoints })).outcome).toBe('valid');
      const at = erased % log.length;
      const redacted = log.map(({ displayed: _shown, ...record }, index) =>
        index === at ? { ...record, disclosures: { ...record.disclosures, after: null } } : record,
      );
      expect(await verify(redacted, { ...GLOBAL, checkpoints, newest: noteOver(log) })).toMatchObject({
        outcome: 'valid',
        redacted: 1,
      });
      for (const tenantId of ['acme', 'globex', '']) {
        const own = log.filter((record) => tenantOf(record) === tenantId);
        const scope = { kind: 'tenant', tenantId } as const;
        expect((await verify(own, { scope, checkpoints: [noteOver(own)] })).outcome).toBe('valid');
      }
    }),
    { numRuns: 40 },
  );
});

it('finds no change of a single character good', async () => {
  await fc.assert(
    fc.asyncProperty(
      events,
      fc.nat(),
      fc.constantFrom('0', 'a', 'x', '"', '}', ' ', '\n', ''),
      async (list, place, character) => {
        const log = sampleLog(list);
        const text = textOf(log);
        const at = place % text.length;
        const changed = text.slice(0, at) + character + text.slice(at + 1);
        // The last line break may be missing.
        if (changed === text || at === text.length - 1) return;
        const verdict = await verifyExport([changed], { ...GLOBAL, ...KEYS, checkpoints: [noteOver(log)] });
        expect(verdict.outcome).not.toBe('valid');
      },
    ),
    { numRuns: 300 },
  );
});
