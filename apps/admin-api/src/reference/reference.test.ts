import { catalogue } from '@portcullis/resources';
import { beforeAll, describe, expect, it } from 'vitest';
import { callersOf } from './callers-of.test-support.ts';
import { errorsReference } from './errors-reference.test-support.ts';
import { describedOperations } from './operation-list.test-support.ts';
import type { DescribedOperation } from './operation-list.test-support.ts';
import { resourcesReference } from './resources-reference.test-support.ts';

describe('the reference, which `npm run generate` writes', () => {
  let operations: readonly DescribedOperation[];
  beforeAll(async () => {
    operations = await describedOperations();
  });

  it('docs/reference/resources.md is what the families and the API description say', async () => {
    const text = resourcesReference(catalogue, operations);
    await expect(text).toMatchFileSnapshot('../../../../docs/reference/resources.md');
  });

  it('docs/reference/errors.md is what the table of problems says', async () => {
    await expect(errorsReference()).toMatchFileSnapshot('../../../../docs/reference/errors.md');
  });

  it('has every family with its fields, and every operation', () => {
    const text = resourcesReference(catalogue, operations);
    for (const family of catalogue) {
      const section = text.split('\n## ').find((part) => part.startsWith(`${family.name}\n`)) ?? '';
      const missing = [...Object.keys(family.fields), ...Object.keys(family.readOnlyFields)].filter(
        (field) => !section.includes(`| \`${field}\` |`),
      );
      expect(missing, family.name).toEqual([]);
    }
    const rows = text.split('\n');
    const unlisted = operations.filter(
      ({ method, path }) => !rows.some((row) => row.startsWith(`| ${method} |`) && row.includes(`\`${path}\``)),
    );
    expect(unlisted).toEqual([]);
  });

  it('shows IDs as what they are, and patterns as code that a table can hold', () => {
    const text = resourcesReference(catalogue, operations);
    expect(text).toContain('| `service_id` | ID |');
    expect(text).not.toContain('A-Za-z0-9._~-]{1,128}$');
    for (const row of text.split('\n').filter((line) => line.startsWith('| `'))) {
      expect(row.replaceAll('\\|', '').match(/\|/g)?.length, row).toBeGreaterThanOrEqual(4);
    }
  });

  it('says who is let through as the rule itself does', () => {
    const reads = 'every signed-in user; tokens with `admin:read`';
    expect(callersOf({ access: 'read', method: 'GET' })).toBe(reads);
    expect(callersOf({ access: 'read', method: 'POST' })).toBe(`${reads} and \`admin:write\``);
    const writes = '`super_admin`, `admin`, `writer`; tokens with `admin:write`';
    expect(callersOf({ access: 'write', method: 'POST' })).toBe(writes);
    expect(callersOf({ access: 'super_admin', method: 'POST' })).toBe('`super_admin`');
    expect(callersOf({ access: 'session', method: 'GET' })).toBe('every signed-in user');
  });
});
