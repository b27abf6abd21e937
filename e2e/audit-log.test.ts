import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { startProcess } from '@portcullis/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guideSteps, scriptOf } from './support/guide.ts';
import { startStack, superAdministrator } from './support/stack.ts';
import type { Stack } from './support/stack.ts';

const api = '/api/v1/admin';

describe('an auditor with gwctl, and somebody with the database', () => {
  let stack: Stack;
  let [log, saved, key] = ['', '', ''];
  const gwctl = (...args: string[]) => stack.gwctl(...args);
  const well = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await gwctl(...args);
    expect(code, `gwctl ${args.join(' ')}: ${stderr}`).toBe(0);
    return stdout;
  };
  const rewrite = (statement: string): void => {
    const database = new DatabaseSync(stack.folder.join('portcullis.db'), { timeout: 30_000 });
    try {
      // Whoever owns the database takes its guards away first.
      const triggers = database
        .prepare(`select name from sqlite_master where type = 'trigger' and name like 'audit_%'`)
        .all();
      for (const { name } of triggers) database.exec(`drop trigger ${String(name)}`);
      database.exec(statement);
    } finally {
      database.close();
    }
  };

  beforeAll(async () => {
    stack = await startStack();
    [log, saved, key] = ['log.ndjson', 'checkpoints.ndjson', 'audit.pub'].map((name) => stack.folder.join(name)) as [
      string,
      string,
      string,
    ];
    await stack.admin.call('POST', `${api}/tenants`, { name: 'Acme', slug: 'acme' });
    for (let index = 0; index < 20; index += 1) {
      await stack.admin.call('POST', `${api}/consumers?tenant_id=acme`, { username: `c${index}` });
    }
    const { username, password } = superAdministrator;
    await well('--api-url', stack.adminUrl, 'login', '--username', username, '--password', password);
  });
  afterAll(() => stack[Symbol.asyncDispose]());

  it('keeps checkpoints, exports and finds the log whole without the server', async () => {
    const shown = JSON.parse(await well('audit', 'checkpoint', 'show', '--all-tenants', '-o', 'json'));
    await writeFile(key, `${shown.verifier_key}\n`);
    await well('audit', 'checkpoint', 'save', saved, '--all-tenants', '--key', key);
    await stack.admin.call('POST', `${api}/consumers?tenant_id=acme`, { username: 'later' });
    await well('audit', 'checkpoint', 'save', saved, '--all-tenants', '--key', key);
    expect((await readFile(saved, 'utf8')).trim().split('\n')).toHaveLength(2);
    await well('audit', 'export', '--all-tenants', '--output', log);
    const verdict = JSON.parse(await well('audit', 'verify', log, '--key', key, '--checkpoint', saved, '-o', 'json'));
    const records = (await readFile(log, 'utf8')).trim().split('\n').length;
    expect(verdict).toMatchObject({ outcome: 'whole', checked: records });
    expect(verdict.sealed).toBeGreaterThan(20);
  });

  it('goes on with an export, and reads that of one tenant', async () => {
    const before = (await readFile(log, 'utf8')).trim().split('\n').length;
    await stack.admin.call('POST', `${api}/consumers?tenant_id=acme`, { username: 'even later' });
    await well('audit', 'export', '--all-tenants', '--output', log, '--from', String(before + 1));
    await well('audit', 'verify', log, '--key', key, '--checkpoint', saved);
    const own = stack.folder.join('acme.ndjson');
    await writeFile(own, await well('audit', 'export', '--tenant-id', 'acme'));
    expect(await well('audit', 'verify', own, '--key', key)).toMatch(/^whole: /);
  });

  it('does what the guide says', async () => {
    const steps = guideSteps(await readFile(new URL('../docs/guides/audit-log.md', import.meta.url), 'utf8'));
    const tool = fileURLToPath(new URL('../apps/gwctl/dist/main.js', import.meta.url));
    const cwd = stack.folder.join('guide');
    await mkdir(cwd);
    const shell = await startProcess({
      command: 'sh',
      args: ['-c', `gwctl() { '${process.execPath}' '${tool}' "$@"; }\n${scriptOf(steps, 'next')}`],
      env: {
        PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
        GWCTL_CONFIG: stack.folder.join('gwctl.json'),
      },
      cwd,
    });
    expect(await shell.exited, `${shell.stdout()}\n${shell.stderr()}`).toEqual({ code: 0, signal: null });
    expect(shell.stdout()).toMatch(/^whole: /m);
  });

  it('sees where a record was rewritten, as the server does', async () => {
    rewrite(
      `update audit_records set canonical = replace(canonical, '"create"', '"delete"') where global_sequence = 12`,
    );
    const answer = await stack.admin.call('POST', `${api}/audits/verify`, {});
    expect(answer.body).toMatchObject({ valid: false, first_invalid: { sequence: 12, kind: 'edited' } });
    await well('audit', 'export', '--all-tenants', '--output', log);
    const run = await gwctl('audit', 'verify', log, '--key', key, '--checkpoint', saved, '-o', 'json');
    expect(run.code).toBe(2);
    expect(JSON.parse(run.stdout)).toMatchObject({ outcome: 'tampered', kind: 'edited', first_bad: 12, line: 12 });
    rewrite(
      `update audit_records set canonical = replace(canonical, '"delete"', '"create"') where global_sequence = 12`,
    );
    expect((await stack.admin.call('POST', `${api}/audits/verify`, {})).body.valid).toBe(true);
  });
});
