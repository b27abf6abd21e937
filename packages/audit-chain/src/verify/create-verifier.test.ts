import { expect, it } from 'vitest';
import { exportLine, verifyExport, type ExportRecord, type VerifierOptions } from '../index.ts';
import { noteOver, ORIGIN, sampleEvents, sampleLog, SIGNER } from '../testing/sample-log.test-support.ts';

const KEYS = { keys: [SIGNER.verifierKey], origin: ORIGIN };

function verify(records: readonly ExportRecord[], options: Partial<VerifierOptions> = {}) {
  const text = records.map((record) => `${exportLine(record)}\n`);
  return verifyExport(text, { scope: { kind: 'global' }, ...KEYS, ...options });
}

it('finds no fault with a clean log, of all tenants and of one, with checkpoints on the way', async () => {
  const log = sampleLog(sampleEvents(20));
  const checkpoints = [0, 1, 7, 16, 20].map((size) => noteOver(log, size));
  expect(await verify(log, { checkpoints, newest: noteOver(log) })).toMatchObject({
    outcome: 'valid',
    checked: 20,
    sealed: 20,
    redacted: 0,
    findings: [],
    head: { sequence: 20, hash: log[19]?.global_hash },
  });
  const own = log.filter((record) => record.canonical.includes('"tenant_id":"acme"'));
  const tenant = { scope: { kind: 'tenant', tenantId: 'acme' }, checkpoints: [noteOver(own, 3)] } as const;
  expect(await verify(own, tenant)).toMatchObject({ outcome: 'valid', checked: 7, sealed: 3 });
});

it('says that a log without a key, with a broken line or a cut end cannot be decided', async () => {
  const log = sampleLog(sampleEvents(5));
  expect(await verify(log, { checkpoints: [noteOver(log)], keys: [] })).toMatchObject({
    outcome: 'undecidable',
    reason: 'no_key',
  });
  expect(await verify(log, { checkpoints: [noteOver(log)], origin: 'other' })).toMatchObject({ reason: 'other_log' });
  const text = log.map((record) => `${exportLine(record)}\n`).join('');
  const global = { scope: { kind: 'global' }, ...KEYS } as const;
  expect(await verifyExport([text.slice(0, -20)], global)).toMatchObject({
    reason: 'truncated_file',
    line: 5,
    checked: 4,
  });
  expect(await verifyExport([text.slice(0, -1)], global)).toMatchObject({ outcome: 'valid', checked: 5 });
  expect(await verifyExport([text.replaceAll('\n', '\r\n')], global)).toMatchObject({ outcome: 'valid', checked: 5 });
  expect(await verifyExport([`{}\n${text}`], global)).toMatchObject({ reason: 'malformed', line: 1, checked: 0 });
});
