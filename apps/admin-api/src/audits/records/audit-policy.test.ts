import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { auditPolicy, isRecordedAct, type Recording } from './audit-policy.ts';

const guide = new URL('../../../../../docs/guides/operating-the-control-plane.md', import.meta.url);
const words: Readonly<Record<Recording, string>> = {
  with_the_act: 'with the act',
  bounded: 'apart, bounded',
  never: 'no',
};

it('is the table that the operating guide shows', async () => {
  const rows = auditPolicy.map(({ act, actions, entityType, recording, remark }) => {
    const named = actions.map((action) => `\`${action}\``).join(', ');
    const entity = entityType === undefined ? '—' : `\`${entityType}\``;
    return `| ${[act, named === '' ? '—' : named, entity, words[recording], remark].join(' | ')} |`;
  });
  expect(await readFile(guide, 'utf8')).toContain(rows.join('\n'));
});

it('knows acts by their action and, where a rule names one, by what they are about', () => {
  expect(isRecordedAct({ action: 'create', entityType: 'service' })).toBe(true);
  expect(isRecordedAct({ action: 'rotate', entityType: 'signing_key' })).toBe(true);
  expect(isRecordedAct({ action: 'rotate', entityType: 'service' })).toBe(false);
  expect(isRecordedAct({ action: 'read', entityType: 'service' })).toBe(false);
});
