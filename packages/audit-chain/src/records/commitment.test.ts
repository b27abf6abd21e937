import { expect, it } from 'vitest';
import { commitField, type ExportRecord, exportLine, ExportLineError, parseExportLine } from '../index.ts';
import { sampleEvents, sampleLog } from '../testing/sample-log.test-support.ts';

it('commits to a value in a way that the salt decides', () => {
  const first = commitField({ b: 1, a: 2 }, 'a'.repeat(32));
  expect(first).toEqual(commitField({ a: 2, b: 1 }, 'a'.repeat(32)));
  expect(first).not.toEqual(commitField({ a: 2, b: 1 }, 'b'.repeat(32)));
  for (const salt of ['', 'a'.repeat(31), 'A'.repeat(32), 'a'.repeat(34)])
    expect(() => commitField(1, salt)).toThrow('a salt is 32');
  expect(() => commitField(undefined, 'a'.repeat(32))).toThrow('JSON has no undefined');
});

const [record] = sampleLog(sampleEvents(1)) as [ExportRecord];

it('reads the lines that it writes, and knows another spelling', () => {
  const line = exportLine(record);
  expect(parseExportLine(line)).toEqual({ record, isExact: true });
  expect(exportLine({ ...record, more: 1 } as ExportRecord)).toBe(line);
  expect(parseExportLine(line.replace('{', '{ '))).toEqual({ record, isExact: false });
});

it.each([
  ['', 'the line is no JSON'],
  ['[]', 'a record is an object'],
  [exportLine(record).replace('{', '{"more":1,'), 'a record has no member more'],
  [
    exportLine(record).replace('"global_sequence":1', '"global_sequence":0'),
    'global_sequence is a whole number from 1',
  ],
  [
    exportLine(record).replace('"tenant_sequence":1', '"tenant_sequence":"1"'),
    'tenant_sequence is a whole number from 1',
  ],
  [
    JSON.stringify({ ...record, audit_hash: record.audit_hash.toUpperCase() }),
    'audit_hash is a SHA-256 hash in lower-case hex',
  ],
  [JSON.stringify({ ...record, canonical: 1 }), 'canonical is text'],
  [JSON.stringify({ ...record, disclosures: [] }), 'disclosures is an object'],
  [
    JSON.stringify({ ...record, disclosures: { after: { value: 1 } } }),
    'a disclosure has a salt and a value, or is null',
  ],
])('refuses a line %#', (line, message) => {
  expect(() => parseExportLine(line)).toThrow(new ExportLineError(message));
});
