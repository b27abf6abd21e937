import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Schema } from '../isolation/described-operations.test-support.ts';
import { inParallel } from '../isolation/http-client.test-support.ts';
import { type BadInputWorld, startBadInputWorld, writtenRows } from './bad-input-world.test-support.ts';
import { type FieldCase, fieldCases } from './field-cases.test-support.ts';

const timeoutMs = 240_000;
const plugins = '/api/v1/admin/plugins';

/** A wrong config of an installed package. */
interface ConfigCase extends FieldCase {
  readonly packageName: string;
}

/** Whether null is a mistake there: in a list, or in a field that every config must have. Elsewhere it is an absent field. */
function isNeeded({ required = [] }: Schema, pointer: string): boolean {
  const isEntry = /\/\d+$/.test(pointer);
  return isEntry || (required as string[]).some((name) => pointer === `/config/${name}`);
}

describe('the config of every installed plugin package', () => {
  let world: BadInputWorld;
  let cases: readonly ConfigCase[] = [];
  let packageNames: readonly string[] = [];
  const token = (): string => world.principal('admin').token ?? '';
  beforeAll(async () => {
    world = await startBadInputWorld();
    const path = '/api/v1/admin/plugin-packages?limit=200';
    const { json } = await world.client.send({ method: 'GET', path, token: token() });
    const packages: { name: string; config_schema: Schema }[] = json.items;
    packageNames = packages.map(({ name }) => name);
    cases = packages.flatMap(({ name, config_schema: schema }) =>
      fieldCases({
        tag: 'plugins',
        // The config stands inside of an instance.
        schema: { type: 'object', properties: { config: schema } },
        // Alternatives of required fields stand beside the fields, which are what is tried.
        resolve: ({ anyOf, ...inner }) => ('type' in inner || anyOf === undefined ? inner : { ...inner, anyOf }),
        isMergePatch: false,
        fresh: () => ({ body: { name, config: {} }, mark: world.newMark() }),
      })
        .filter(({ title, pointer }) => title !== 'null in its place' || isNeeded(schema, pointer))
        .map((one) => ({ ...one, packageName: name })),
    );
  }, timeoutMs);
  afterAll(() => world.stop());
  afterEach(() => expect(world.takeScandals(), 'answers that may never be given').toEqual([]));

  it(
    'is refused with a pointer to what is wrong, and nothing is written',
    async () => {
      const wrong = cases.filter(({ isAccepted, pointer }) => !isAccepted && pointer !== '');
      expect(new Set(wrong.map(({ packageName }) => packageName))).toEqual(new Set(packageNames));
      const before = await writtenRows(world.database);
      const mistakes: string[] = [];
      await inParallel(wrong, async ({ packageName, title, pointer, body }) => {
        const reply = await world.client.send({ method: 'POST', path: plugins, token: token(), body });
        const pointers: string[] = (reply.json?.errors ?? []).map((error: { pointer: string }) => error.pointer);
        const isPointedAt = pointers.some((one) => one === pointer || one.startsWith(`${pointer}/`));
        if (reply.status !== 422 || !isPointedAt) {
          mistakes.push(`${packageName} ${pointer}: ${title}: ${reply.status} ${reply.text.slice(0, 250)}`);
        }
      });
      expect(mistakes).toEqual([]);
      expect(await writtenRows(world.database)).toEqual(before);
    },
    timeoutMs,
  );

  it('is not looked at for a package that is not installed', async () => {
    const body = { name: 'no_such_package', config: {} };
    const reply = await world.client.send({ method: 'POST', path: plugins, token: token(), body });
    expect(reply.status).toBe(422);
    expect(reply.json.errors[0].pointer).toBe('/name');
  });
});
