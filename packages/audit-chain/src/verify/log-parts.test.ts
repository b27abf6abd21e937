import { expect, it } from 'vitest';
import {
  CompactRange,
  createVerifier,
  FINDINGS_MAX,
  leafHash,
  type ExportRecord,
  type Verdict,
  type VerifierOptions,
} from '../index.ts';
import {
  chained,
  noteOver,
  ORIGIN,
  OTHER_SIGNER,
  sampleBody,
  sampleEvents,
  sampleLog,
  SIGNER,
} from '../testing/sample-log.test-support.ts';

const LOG = sampleLog(sampleEvents(20));

function verify(records: readonly ExportRecord[], options: Partial<VerifierOptions> = {}): Verdict {
  const verifier = createVerifier({
    scope: { kind: 'global' },
    keys: [SIGNER.verifierKey],
    origin: ORIGIN,
    ...options,
  });
  for (const record of records) if (!verifier.pushRecord(record)) break;
  return verifier.finish();
}

function baseAt(size: number) {
  const tree = CompactRange.empty();
  for (const record of LOG.slice(0, size)) tree.append(leafHash(record.audit_hash));
  return { head: { sequence: size, hash: LOG[size - 1]?.global_hash ?? '' }, subtrees: tree.hashes };
}

/** A log whose records were made that many seconds after the first one. */
function logAt(seconds: readonly number[]): ExportRecord[] {
  const event = { tenantId: 'acme', entityId: 'x', after: null };
  return chained(seconds.map((second) => ({ tenantId: 'acme', body: sampleBody(event, second) })));
}

it('verifies what is left of a pruned log, and a part of a log as far as it goes', () => {
  const rest = LOG.slice(11);
  const checkpoints = [noteOver(LOG, 5), noteOver(LOG, 11), noteOver(LOG)];
  expect(verify(rest, { base: baseAt(11), checkpoints })).toMatchObject({ outcome: 'valid', checked: 9, sealed: 20 });
  const { head } = baseAt(11);
  expect(verify(rest, { base: { head } })).toMatchObject({ outcome: 'valid', checked: 9, root: undefined });
  expect(verify(rest, { base: { head }, checkpoints })).toMatchObject({ outcome: 'undecidable', reason: 'no_base' });
  expect(verify(rest, { checkpoints })).toMatchObject({ kind: 'missing', firstBad: 1 });
});

it('holds what is left of a log to what was there before', () => {
  const wrong = { ...baseAt(11), subtrees: baseAt(7).subtrees };
  const checkpoints = [noteOver(LOG, 11)];
  expect(verify(LOG.slice(11), { base: wrong, checkpoints })).toMatchObject({
    kind: 'rewritten',
    firstBad: 12,
    line: undefined,
  });
  const other = { ...baseAt(11), head: { sequence: 11, hash: '0'.repeat(64) } };
  expect(verify(LOG.slice(11), { base: other })).toMatchObject({ kind: 'rehashed', firstBad: 12, line: 1 });
  const tenants = new Map([['acme', { sequence: 3, hash: '0'.repeat(64) }]]);
  expect(verify(LOG.slice(11), { base: { ...baseAt(11), tenants } })).toMatchObject({ outcome: 'tampered' });
});

it('reports a clock that was set back as a finding, and clocks of replicas that differ not at all', () => {
  expect(verify(logAt([0, 100, 50, 110, 20, 130]))).toMatchObject({ outcome: 'valid', findings: [] });
  expect(verify(logAt([5000, 5010, 100, 110, 120]))).toMatchObject({
    outcome: 'valid',
    findings: [{ kind: 'clock_set_back', sequence: 3, behindMs: 4_910_000 }],
  });
  expect(verify(logAt([100, 50]), { clockSkewMsMax: 1000 })).toMatchObject({
    findings: [{ sequence: 2, behindMs: 50_000 }],
  });
  const restless = logAt(Array.from({ length: 3 * FINDINGS_MAX }, (_, n) => (n % 2 === 0 ? 9000 + n : n)));
  expect(verify(restless).findings).toHaveLength(FINDINGS_MAX);
});

it('opens checkpoints with any of several keys, such as the one before it was exchanged', () => {
  const checkpoints = [noteOver(LOG, 10, OTHER_SIGNER), noteOver(LOG)];
  expect(verify(LOG, { checkpoints, keys: [SIGNER.verifierKey, OTHER_SIGNER.verifierKey] })).toMatchObject({
    outcome: 'valid',
  });
  expect(verify(LOG, { checkpoints })).toMatchObject({ outcome: 'tampered', kind: 'foreign_key' });
  expect(verify(LOG, { checkpoints: ['nonsense'] })).toMatchObject({ outcome: 'undecidable', reason: 'malformed' });
  expect(() => verify(LOG, { checkpoints, keys: ['nonsense'] })).toThrow(TypeError);
});

it('chains records of an older form, whose members stand open, as they are', () => {
  const canonical = '{"before":{"c":"' + 'a'.repeat(64) + '"},"n":1e+30,"schema_version":1,"tenant_id":null}';
  const [record] = chained([
    { tenantId: '', body: { canonical, displayed: { before: { c: 'a'.repeat(64) }, tenant_id: null } } },
  ]);
  expect(verify(record === undefined ? [] : [record])).toMatchObject({ outcome: 'valid', checked: 1, redacted: 0 });
});

it('takes no record that is none', () => {
  expect(verify([{ ...LOG[0], audit_hash: 'x' } as ExportRecord])).toMatchObject({
    outcome: 'undecidable',
    reason: 'malformed',
    line: 1,
  });
  expect(verify(chained([{ tenantId: '', body: { canonical: '[]' } }]))).toMatchObject({
    kind: 'not_canonical',
    firstBad: 1,
  });
});
