import { catalogue, metadataOf } from '@portcullis/resources';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type BadInputWorld, startBadInputWorld } from '../bad-input/bad-input-world.test-support.ts';
import { fillPath, type Schema } from './described-operations.test-support.ts';
import type { Reply } from './http-client.test-support.ts';
import { creatorOf } from './isolation-world.test-support.ts';
import { bodyFor, familyOf } from './sample-requests.test-support.ts';

const timeoutMs = 240_000;

/** Fields that nobody sends, whatever a family calls them. Source: security rules, Mass assignment; decisions, 7. */
const neverSent = [
  'tenant_id',
  'created_at',
  'updated_at',
  'revision',
  'created_by',
  'status',
  'can_create_tenant',
  'tenant_quota',
  'parent_id',
  'parent_slug',
  'role',
  'token_id',
  'secret_hash',
  'password_hash',
  'key_hash',
  'prefix',
  'last_used_at',
  'isAdmin',
];

interface Attempt {
  readonly family: string;
  readonly path: string;
  readonly recordPath: string;
  readonly isChangeable: boolean;
  /** Fields that the server sets, with a value that it did not set. */
  readonly fields: Readonly<Record<string, unknown>>;
}

describe('fields that only the server sets', () => {
  let world: BadInputWorld;
  let attempts: readonly Attempt[] = [];
  beforeAll(async () => {
    world = await startBadInputWorld();
    attempts = catalogue.flatMap((family) => attemptOn(world, family.name));
  }, timeoutMs);
  afterAll(() => world.stop());
  afterEach(() => expect(world.takeScandals(), 'answers that may never be given').toEqual([]));

  const ask = (method: string, path: string, body?: unknown): Promise<Reply> =>
    world.client.send({ method, path, body, token: world.principal('admin').token ?? '' });

  it('are there in every family', () => {
    expect(attempts.map(({ family }) => family)).toEqual(catalogue.map(({ name }) => name));
    for (const { family, fields } of attempts) expect(Object.keys(fields).length, family).toBeGreaterThan(8);
  });

  it(
    'cannot be set in a new record',
    async () => {
      const mistakes: string[] = [];
      for (const { family, path, fields } of attempts) {
        for (const [name, value] of Object.entries(fields)) {
          const body = { ...bodyFor(family, world.place(world.own)), [name]: value };
          const reply = await ask('POST', path, body);
          if (!isRefusedFor(reply, name))
            mistakes.push(`POST ${family} ${name}: ${reply.status} ${reply.text.slice(0, 200)}`);
        }
      }
      expect(mistakes).toEqual([]);
    },
    timeoutMs,
  );

  it(
    'cannot be changed, and what is written fixed stays so',
    async () => {
      const mistakes: string[] = [];
      for (const { family, recordPath, fields, isChangeable } of attempts.filter((one) => one.isChangeable)) {
        const before = await ask('GET', recordPath);
        for (const [name, value] of Object.entries({ ...fields, id: 'another-id', ...immutableFields(family) })) {
          const reply = await ask('PATCH', recordPath, { [name]: value });
          // A field that lives is passed over: what a read shows may be another value by the time it is sent back.
          const isUnchanged = reply.status === 200 && reply.json.revision === before.json.revision;
          const isPassedOver = isUnchanged && JSON.stringify(reply.json[name]) !== JSON.stringify(value);
          if (!isRefusedFor(reply, name) && !isPassedOver)
            mistakes.push(`PATCH ${family} ${name}: ${reply.status} ${reply.text.slice(0, 200)}`);
        }
        const after = await ask('GET', recordPath);
        if (after.text !== before.text) mistakes.push(`${family} is now ${after.text} instead of ${before.text}`);
        expect(isChangeable).toBe(true);
      }
      expect(mistakes).toEqual([]);
    },
    timeoutMs,
  );

  it(
    'may be sent back as they are',
    async () => {
      const mistakes: string[] = [];
      for (const { family, recordPath } of attempts.filter((one) => one.isChangeable)) {
        const shown = await ask('GET', recordPath);
        const reply = await ask('PATCH', recordPath, shown.json);
        const isUnchanged = reply.status === 200 && reply.json.revision === shown.json.revision;
        if (!isUnchanged) mistakes.push(`${family}: ${reply.status} ${reply.text.slice(0, 300)}`);
      }
      expect(mistakes).toEqual([]);
    },
    timeoutMs,
  );

  it('do not let an administrator rise above the tenant', async () => {
    const users = '/api/v1/admin/users';
    const body = () => bodyFor('users', world.place(world.own));
    const tenant = `/api/v1/admin/tenants/${world.own.id}`;
    const rises: [string, Reply][] = [
      ['a new super administrator', await ask('POST', users, { ...body(), role: 'super_admin' })],
      ['a promotion', await ask('PATCH', `${users}/${world.own.records['users'] ?? ''}`, { role: 'super_admin' })],
      ['the own promotion', await ask('PATCH', `${users}/admin-own`, { role: 'super_admin' })],
      ['a user of another tenant', await ask('POST', users, { ...body(), tenant_id: world.other.id })],
      ['a user of no tenant', await ask('POST', users, { ...body(), tenant_id: null })],
      ['a larger quota', await ask('PATCH', tenant, { tenant_quota: 1_000_000 })],
      ['the right to make tenants', await ask('PATCH', tenant, { can_create_tenant: false })],
      ['another parent', await ask('PATCH', tenant, { parent_id: world.other.id })],
      ['another status', await ask('PATCH', tenant, { status: 'inactive' })],
      ['a child of somebody else', await ask('POST', '/api/v1/admin/tenants', childOf(world.other.id))],
      [
        'a child that may have children',
        await ask('POST', '/api/v1/admin/tenants', { ...childOf(world.own.id), can_create_tenant: true }),
      ],
      [
        'a child with a quota',
        await ask('POST', '/api/v1/admin/tenants', { ...childOf(world.own.id), tenant_quota: 5 }),
      ],
      [
        'a token of another tenant',
        await ask('POST', '/api/v1/admin/api-tokens', { name: 'x', scopes: ['admin:read'], tenant_id: world.other.id }),
      ],
      [
        'a token with a scope that is none',
        await ask('POST', '/api/v1/admin/api-tokens', { name: 'x', scopes: ['super_admin'] }),
      ],
    ];
    for (const [title, { status, text }] of rises) expect([403, 422], `${title}: ${text}`).toContain(status);
  });

  const childOf = (parentId: string): object => ({ name: 'Child', slug: world.newMark(), parent_id: parentId });

  function immutableFields(family: string): Record<string, unknown> {
    const fields = catalogue.find(({ name }) => name === family)?.fields ?? {};
    const fixed = Object.entries(fields).filter(([, schema]) => metadataOf(schema).immutable);
    return Object.fromEntries(fixed.map(([name]) => [name, 'something-else']));
  }
});

/** What to try on a family: everything that its records show and callers cannot send, and what none of them has. */
function attemptOn(world: BadInputWorld, family: string): Attempt[] {
  const creator = creatorOf(world, family);
  if (!creator) return [];
  const parameters = creator.pathParameters.map((name) => [name, world.own.records[familyOf(name) ?? ''] ?? '']);
  const path = fillPath(creator, Object.fromEntries(parameters));
  const recordPath = `${path}/${world.own.records[family] ?? ''}`;
  const properties = (schema: Schema) =>
    (world.description.resolve(schema)['properties'] ?? {}) as Record<string, Schema>;
  const taken = new Set(Object.keys(properties(creator.body?.schema ?? {})).filter((name) => name !== 'tenant_id'));
  const shown = properties(world.description.answerSchema(creator));
  const names = new Set([...Object.keys(shown), ...neverSent].filter((name) => !taken.has(name)));
  const fields = Object.fromEntries(
    [...names].map((name) => [name, otherValue(name, shown[name] ?? {}, world.other.id)]),
  );
  const isChangeable = world.description.operations.some(({ method, tag }) => method === 'PATCH' && tag === family);
  return [{ family, path, recordPath, isChangeable, fields }];
}

function otherValue(name: string, schema: Schema, otherTenant: string): unknown {
  if (name === 'tenant_id') return otherTenant;
  if (schema['type'] === 'integer' || schema['type'] === 'number' || name === 'revision') return 424_242;
  if (schema['type'] === 'boolean') return true;
  if (schema['type'] === 'array') return ['mine'];
  if (schema['type'] === 'object') return { mine: 'mine' };
  return name.endsWith('_at') ? '2001-01-01T00:00:00.000Z' : 'mine';
}

/** Refused because of that field; another tenant's name is refused before anyone looks at fields. */
function isRefusedFor({ status, json }: Reply, name: string): boolean {
  if (name === 'tenant_id') return status === 403 || status === 422;
  const pointers: string[] = (json?.errors ?? []).map((error: { pointer: string }) => error.pointer);
  return status === 422 && pointers.some((pointer) => pointer === `/${name}` || pointer.startsWith(`/${name}/`));
}
