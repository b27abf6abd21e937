import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, CompactRange, createVerifier, leafHash } from '../index.ts';
import type { ExportRecord, LogBase, Verdict, VerifierOptions } from '../index.ts';
import { commitField } from '../records/commitment.ts';
import { chained, noteOver, ORIGIN, sampleBody, sampleEvents, SIGNER } from '../testing/sample-log.test-support.ts';

type Body = ReturnType<typeof sampleBody>;

/** A record of who took something out of the log. */
function act(n: number, members: Readonly<Record<string, unknown>>, metadata: unknown): Body {
  const body = sampleBody({ tenantId: '', entityId: '', after: null }, n);
  const salt = n.toString(16).padStart(32, 'a');
  const canonical = canonicalJson({
    ...(JSON.parse(body.canonical) as object),
    ...members,
    metadata: commitField(metadata, salt),
  });
  return { canonical, disclosures: { ...body.disclosures, metadata: { salt, value: metadata } }, displayed: {} };
}
const redact = (n: number, id: string, fields: readonly string[]): Body =>
  act(n, { action: 'redact', entity_type: 'audit_record', entity_id: id }, { fields });
const prune = (n: number, through: number): Body =>
  act(n, { action: 'prune', entity_type: 'audit_log', entity_id: 'global' }, { from: 1, through });

/** Twelve records, and behind them some more. */
function logWith(...more: readonly Body[]): ExportRecord[] {
  const sample = sampleEvents(12).map((event, index) => ({
    tenantId: event.tenantId,
    body: sampleBody(event, index + 1),
  }));
  return chained([...sample, ...more.map((body) => ({ tenantId: '', body }))]);
}

function without(record: ExportRecord | undefined, ...fields: readonly string[]): ExportRecord {
  if (record === undefined) throw new Error('no such record');
  const disclosures = Object.fromEntries(
    Object.entries(record.disclosures ?? {}).map(([name, value]) => [name, fields.includes(name) ? null : value]),
  );
  return { ...record, disclosures, displayed: {} };
}

function verify(records: readonly ExportRecord[], options: Partial<VerifierOptions> = {}): Verdict {
  const verifier = createVerifier({
    scope: { kind: 'global' },
    keys: [SIGNER.verifierKey],
    origin: ORIGIN,
    recordedRemovals: true,
    ...options,
  });
  for (const record of records) if (!verifier.pushRecord(record)) break;
  return verifier.finish();
}

function baseAt(log: readonly ExportRecord[], size: number): Required<Pick<LogBase, 'head' | 'subtrees'>> {
  const tree = CompactRange.empty();
  for (const record of log.slice(0, size)) tree.append(leafHash(record.audit_hash));
  return { head: { sequence: size, hash: log[size - 1]?.global_hash ?? '' }, subtrees: tree.hashes };
}

describe('erased values', () => {
  it('need a record of who erased them', () => {
    const log = logWith();
    const erased = log.with(4, without(log[4], 'before', 'after')).with(8, without(log[8], 'source_ip'));
    expect(verify(erased)).toMatchObject({ outcome: 'tampered', kind: 'erased_unrecorded', firstBad: 5, redacted: 3 });
    expect(verify(erased, { checkpoints: [noteOver(log)] })).toMatchObject({ kind: 'erased_unrecorded', firstBad: 5 });
    expect(verify(erased, { recordedRemovals: false })).toMatchObject({ outcome: 'valid', redacted: 3 });
    const { disclosures: _none, ...bare } = log[4] ?? log[0] ?? expect.unreachable();
    expect(verify(log.with(4, { ...bare, displayed: {} }))).toMatchObject({ kind: 'erased_unrecorded', firstBad: 5 });
  });

  it('are accounted for by the fields that the record of it names, and no further', () => {
    const log = logWith(redact(20, 'record-5', ['before']), redact(21, 'record-5', ['after']));
    expect(verify(log.with(4, without(log[4], 'before', 'after')))).toMatchObject({ outcome: 'valid', redacted: 2 });
    expect(verify(log.with(4, without(log[4], 'before', 'source_ip')))).toMatchObject({ kind: 'erased_unrecorded' });
    expect(verify(log.with(5, without(log[5], 'before')))).toMatchObject({ kind: 'erased_unrecorded', firstBad: 6 });
    // Who erases also what says so is seen by that.
    const hidden = log.with(4, without(log[4], 'before')).with(12, without(log[12], 'metadata'));
    expect(verify(hidden)).toMatchObject({ kind: 'erased_unrecorded', firstBad: 5 });
  });

  it('stay unaccounted when the record stands before them, or another one has their ID', () => {
    const early = chained(
      [redact(20, 'record-1', ['after']), sampleBody({ tenantId: '', entityId: 'e', after: 1 }, 1)].map((body) => ({
        tenantId: '',
        body,
      })),
    );
    expect(verify(early.with(1, without(early[1], 'after')))).toMatchObject({ kind: 'erased_unrecorded', firstBad: 2 });
    const twin = sampleBody({ tenantId: '', entityId: 'e', after: 1 }, 5);
    const log = logWith(twin, redact(20, 'record-5', ['after']));
    const both = log.with(4, without(log[4], 'after')).with(12, without(log[12], 'after'));
    expect(verify(both)).toMatchObject({ kind: 'erased_unrecorded' });
  });
});

describe('a beginning that was cut off', () => {
  const log = logWith(prune(20, 6), prune(21, 9));

  it('needs a record of who deleted it, that goes as far', () => {
    const at = (size: number, options: Partial<VerifierOptions> = {}) =>
      verify(log.slice(size), { base: baseAt(log, size), checkpoints: [noteOver(log)], ...options });
    expect(at(9)).toMatchObject({ outcome: 'valid', pruned: 9, sealed: 14, passedOver: 0 });
    expect(at(10)).toMatchObject({ outcome: 'tampered', kind: 'pruned_unrecorded', firstBad: 10, pruned: 10 });
    expect(at(13)).toMatchObject({ outcome: 'tampered', kind: 'pruned_unrecorded' });
    expect(at(14)).toMatchObject({ outcome: 'tampered', kind: 'pruned_unrecorded', firstBad: 1, checked: 0 });
    expect(at(14, { prunedThrough: 14 })).toMatchObject({ outcome: 'valid', checked: 0 });
    expect(at(10, { recordedRemovals: false })).toMatchObject({ outcome: 'valid', pruned: 10 });
  });

  it("cannot be judged from one tenant's log alone", () => {
    const own = log.filter(({ canonical }) => canonical.includes('"tenant_id":"acme"'));
    const tree = CompactRange.empty();
    tree.append(leafHash(own[0]?.audit_hash ?? ''));
    const base = { head: { sequence: 1, hash: own[0]?.audit_hash ?? '' }, subtrees: tree.hashes };
    const scope = { kind: 'tenant', tenantId: 'acme' } as const;
    expect(verify(own.slice(1), { scope, base })).toMatchObject({
      outcome: 'undecidable',
      reason: 'pruned',
      pruned: 1,
    });
    expect(verify(own.slice(1), { scope, base, prunedThrough: 1 })).toMatchObject({ outcome: 'valid' });
  });
});

describe('a beginning that nobody vouches for', () => {
  const log = logWith();

  it('is no proof of what comes before it', () => {
    const invented = { head: { sequence: 1_000_000, hash: '0'.repeat(64) }, subtrees: Array(7).fill('0'.repeat(64)) };
    const checkpoints = [noteOver(log, 4), noteOver(log)];
    for (const recordedRemovals of [true, false]) {
      const verdict = verify([], { base: invented, checkpoints, recordedRemovals });
      expect(verdict).toMatchObject({ outcome: 'undecidable', reason: 'no_base', sealed: 0, passedOver: 2 });
    }
    expect(verify(log.slice(6), { base: baseAt(log, 6), recordedRemovals: false })).toMatchObject({
      outcome: 'valid',
      sealed: 0,
    });
  });

  it('is malformed, and not thrown, whatever it is', () => {
    const hash = fc.constantFrom('ab'.repeat(32), 'AB'.repeat(32), '', 'x');
    const sequence = fc.oneof(fc.nat(20), fc.constantFrom(-1, 0.5, Number.NaN, 2 ** 60, Number.MAX_SAFE_INTEGER));
    const head = fc.record({ sequence, hash });
    const base = fc.record(
      {
        head,
        subtrees: fc.array(hash, { maxLength: 6 }),
        tenants: fc.dictionary(fc.string(), head).map((all) => new Map(Object.entries(all))),
      },
      { requiredKeys: ['head'] },
    );
    fc.assert(
      fc.property(base, fc.boolean(), (given, hasNotes) => {
        const verdict = verify(log, { base: given, checkpoints: hasNotes ? [noteOver(log)] : [] });
        expect(['valid', 'tampered', 'undecidable']).toContain(verdict.outcome);
      }),
      { numRuns: 200 },
    );
    const short = { head: { sequence: 1000, hash: 'ab'.repeat(32) }, subtrees: ['ab'.repeat(32), 'ab'.repeat(32)] };
    expect(verify(log, { base: short })).toMatchObject({ outcome: 'undecidable', reason: 'malformed' });
  });
});
