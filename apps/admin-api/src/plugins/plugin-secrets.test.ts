import { readFileSync } from 'node:fs';
import { canonicalConfig, pluginCatalogue, secretPathsOf } from '@portcullis/plugins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfiguration, recordsOf } from '../data-planes/read-configuration.test-support.ts';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import type { Log } from '../logging.ts';
import { valueAt } from '../resources/json-pointer.ts';
import type { Values } from '../resources/values.ts';
import { startTestService } from '../testing/test-service.test-support.ts';
import type { Answer, TestService } from '../testing/test-service.test-support.ts';

const admin = '/api/v1/admin';
const canary = 'canary-of-a-secret';

/** A config as a README writes it, and as it is kept: maps whose names are secrets become lists. */
interface Example {
  readonly written: Values;
  readonly kept: Values;
}

/** The configs that a plugin's README shows, with a canary before each secret text, wherever it stands: in a map it is a name. */
function examplesOf(name: string): readonly Example[] {
  const readme = new URL(`../../../../packages/plugins/src/${name}/README.md`, import.meta.url);
  const blocks = readFileSync(readme, 'utf8').matchAll(/```json\n(.*?)```/gs);
  return [...blocks].map(([, text = '']) => {
    const config: unknown = canonicalConfig(name, JSON.parse(text));
    const secrets = new Set(
      secretPathsOf(name, config).map((pointer) => JSON.stringify(valueAt(config as Values, pointer))),
    );
    const marked = [...secrets].reduce((all, one) => all.replaceAll(one, `"${canary}-${one.slice(1)}`), text);
    const written = JSON.parse(marked) as Values;
    return { written, kept: canonicalConfig(name, written) as Values };
  });
}

const withSecrets = [...pluginCatalogue.values()].filter((plugin) =>
  JSON.stringify(plugin.jsonSchema()).includes('"x-secret":true'),
);

describe.each(withSecrets.map(({ name }) => name))('the README of %s', (name) => {
  it('shows each field that holds secrets, so that all are tried here', () => {
    const fields = pluginCatalogue.get(name)?.jsonSchema()['properties'] as Record<string, object>;
    const secret = Object.keys(fields).filter((field) => JSON.stringify(fields[field]).includes('"x-secret":true'));
    const shown = new Set(
      examplesOf(name).flatMap(({ kept }) => secretPathsOf(name, kept).map((pointer) => pointer.split('/')[1])),
    );
    expect(secret.filter((field) => !shown.has(field))).toEqual([]);
  });
});

describeOnEachDatabase('secrets of plugin configs', (context) => {
  let service: TestService;
  let token = '';
  const logged: unknown[] = [];
  const write = (...entry: readonly unknown[]): void => void logged.push(entry);
  const log: Log = { debug: write, info: write, warn: write, error: write };
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.call(method, `${admin}${path}${path.includes('?') ? '&' : '?'}tenant_id=acme`, body);
  const done = async (method: string, path: string, body?: unknown): Promise<Answer['body']> => {
    const answer = await call(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body;
  };
  const shows = (shown: unknown): boolean => JSON.stringify(shown).includes(canary);
  /** What a gateway gets of an instance. */
  const delivered = async (id: string): Promise<unknown> => {
    const { body } = await service.call('GET', '/api/v1/data-plane/config', undefined, { token });
    return recordsOf(readConfiguration(body), 'plugins').find((record) => record.id === id)?.['config'];
  };

  beforeAll(async () => {
    service = await startTestService(context.url(), { log });
    await service.addTenant('acme');
    await done('POST', '/gateways', { id: 'edge', name: 'edge' });
    token = (await done('POST', '/data-planes', { gateway_id: 'edge', name: 'node' })).token;
  });
  afterAll(() => service.stop());

  const cases = withSecrets.flatMap(({ name }) =>
    examplesOf(name).map((example, at) => [name, at + 1, example] as const),
  );

  it.each(cases)(
    'are in no answer about %s, example %i, and outlive changes that send masks',
    async (name, _at, { written, kept }) => {
      const made = await done('POST', '/plugins', { name, config: written });
      const at = `/plugins/${made.id}`;
      expect(await delivered(made.id)).toEqual(kept);
      const { config: masked } = await done('GET', at);
      const answers = [
        made,
        await done('GET', at),
        await done('GET', '/plugins?limit=200'),
        await done('PATCH', at, { priority: 1, config: masked }),
        await done('PUT', at, { name, priority: 2, config: masked }),
        await done('GET', '/config/export'),
        await call('GET', '/config/export?format=yaml'),
        await done('POST', '/config/diff', { tenant_id: 'acme', plugins: [{ id: made.id, name, config: written }] }),
        await done('GET', '/audits/?limit=100'),
        // Configs that are refused, with the secrets in them, and secrets where something else belongs.
        await call('POST', '/plugins', { name, config: { ...written, no_such_field: `${canary}-astray` } }),
        await call('PATCH', at, {
          config: Object.fromEntries(Object.keys(kept).map((field) => [field, [[canary]]])),
        }),
        await call('POST', '/plugins', { name, scope: 'nowhere', config: written }),
      ];
      expect(answers.filter((answer) => shows(answer))).toEqual([]);
      expect(await delivered(made.id)).toEqual(kept);
      await done('DELETE', at);
    },
  );

  it.each(cases)(
    'of %s, example %i, outlive an export that is imported again',
    async (name, _at, { written, kept }) => {
      const made = await done('POST', '/plugins', { name, config: written });
      const exported = await done('GET', '/config/export');
      expect(shows(exported)).toBe(false);
      for (const plugin of exported.plugins) plugin.priority = 3;
      const imported = await done('POST', '/config/import?overwrite=true', exported);
      expect(imported, JSON.stringify(imported)).toMatchObject({ status: 'success', counts: { updated: 1 } });
      expect(shows(imported)).toBe(false);
      expect(await delivered(made.id)).toEqual(kept);
      await done('DELETE', `/plugins/${made.id}`);
    },
  );

  it.each(cases)('of %s, example %i, stay hidden in a route', async (name, _at, { written, kept }) => {
    const entry = { name, config: written };
    const made = await done('POST', '/gateways/edge/routes', { name: 'r', path: '/r', plugins: [entry] });
    const at = '/gateways/edge/routes/r';
    const changed = await done('PATCH', at, { plugins: made.plugins });
    expect([made, changed, await done('GET', at), await done('GET', '/config/export')].filter(shows)).toEqual([]);
    const { body } = await service.call('GET', '/api/v1/data-plane/config', undefined, { token });
    expect(recordsOf(readConfiguration(body), 'routes')).toMatchObject([{ plugins: [{ name, config: kept }] }]);
    await done('DELETE', at);
  });

  it('are neither in the log nor in plain text in the database', async () => {
    expect(shows(logged)).toBe(false);
    const { read } = context.database();
    expect(shows(await read.selectFrom('resources').selectAll().execute())).toBe(false);
    expect(shows(await read.selectFrom('audit_records').selectAll().execute())).toBe(false);
  });
});
