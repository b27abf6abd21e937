import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toJsonSchema } from '@valibot/to-json-schema';
import { describe, expect, it } from 'vitest';
import { logRecord } from './log-record.ts';
import { recordTable } from './record-table.test-support.ts';

const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');

describe('the form of records', () => {
  it('stands in the README as it is declared', () => {
    const begin = readme.indexOf('<!-- fields');
    const end = readme.indexOf('<!-- end of fields -->');
    const shown = readme.slice(readme.indexOf('\n', begin), end).trim();
    expect(shown).toBe(recordTable(logRecord));
  });

  it('has what the wire contract names', () => {
    const { required } = toJsonSchema(logRecord, { target: 'draft-2020-12' });
    expect(required).toEqual(
      expect.arrayContaining([
        ...['timestamp', 'request_id', 'tenant_id', 'gateway_id', 'route', 'service', 'consumer', 'method', 'path'],
        ...['status', 'latency_ms'],
      ]),
    );
  });
});
