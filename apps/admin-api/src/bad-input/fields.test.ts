import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase, type SuiteContext } from '../database/each-database.test-support.ts';
import type { DescribedOperation } from '../isolation/described-operations.test-support.ts';
import { inParallel } from '../isolation/http-client.test-support.ts';
import { type IsolationWorld, startIsolationWorld } from '../isolation/isolation-world.test-support.ts';
import { bodyFor, isCreate } from '../isolation/sample-requests.test-support.ts';
import { distinctOperations, requestWith, validRequest, writtenRows } from './bad-input-world.test-support.ts';
import { type FieldCase, fieldCases } from './field-cases.test-support.ts';

const timeoutMs = 240_000;
/** One in this many cases is tried on further operations with the same body. */
const aliasShare = 10;

/** More checks of descriptions at a time are refused to one tenant. */
const requestsAtOnce = 8;

/** A case of an operation, with everything that its request needs. */
interface OperationCase extends FieldCase {
  readonly operation: DescribedOperation;
  readonly valid: Awaited<ReturnType<typeof validRequest>>;
}

describeOnEachDatabase('the fields of every body', (context: SuiteContext) => {
  let world: IsolationWorld;
  let all: readonly OperationCase[] = [];
  beforeAll(async () => {
    world = await startIsolationWorld(context.url());
    // What a database has to do with are the characters of texts, and numbers in columns of their own; the rest is the same
    // in front of both.
    const everything = await casesOf(world);
    const isStored = ({ isAboutText, operation }: OperationCase): boolean =>
      isAboutText === true || operation.tag === 'data plane protocol';
    all = context.dialect === 'sqlite' ? everything : everything.filter(isStored);
  }, timeoutMs);
  afterAll(() => world.stop());
  afterEach(() => expect(world.takeScandals(), 'answers that may never be given').toEqual([]));

  /** Which of the cases that are to be taken are refused for what they are about. */
  const refusalsOf = async (cases: readonly OperationCase[]): Promise<string[]> => {
    const mistakes: string[] = [];
    const creations = cases.filter(({ isAccepted, operation }) => isAccepted && operation.method === 'POST');
    await inParallel(
      creations,
      async (one) => {
        const reply = await world.client.send(
          requestWith(one.valid, { body: JSON.stringify(one.body), headers: { 'content-type': 'application/json' } }),
        );
        const errors: { pointer: string; code: string }[] = reply.json?.errors ?? [];
        const own = errors.filter(({ pointer, code }) => concerns(pointer, one.pointer) && !otherReasons.has(code));
        // A short name that is taken is a valid name, and so is that of a tenant that is not the caller's.
        const isForeign = one.pointer === '/tenant_id' && reply.status === 403;
        const isTaken = one.valid.statuses.includes(reply.status) || reply.status === 409 || isForeign;
        if (!isTaken && (own.length > 0 || reply.status !== 422)) {
          mistakes.push(`${one.operation.title} ${one.pointer}: ${one.title}: ${reply.status} ${JSON.stringify(own)}`);
        }
      },
      requestsAtOnce,
    );
    return mistakes;
  };

  it('can be made bad in very many ways', () => {
    expect(all.length).toBeGreaterThan(context.dialect === 'sqlite' ? 2000 : 200);
  });

  it(
    'are refused with a pointer to what is wrong, and nothing is written',
    async () => {
      const before = await writtenRows(context.database());
      const mistakes: string[] = [];
      await inParallel(
        all.filter(({ isAccepted }) => !isAccepted),
        async (one) => {
          const reply = await world.client.send(
            requestWith(one.valid, { body: JSON.stringify(one.body), headers: { 'content-type': 'application/json' } }),
          );
          const pointers: string[] = (reply.json?.errors ?? []).map((error: { pointer: string }) => error.pointer);
          const isPointedAt = pointers.some((pointer) => concerns(pointer, one.pointer));
          if (!mayRefuse(one, reply.status) || (reply.status === 422 && !isPointedAt)) {
            mistakes.push(
              `${one.operation.title} ${one.pointer}: ${one.title}: ${reply.status} ${reply.text.slice(0, 250)}`,
            );
          }
        },
        requestsAtOnce,
      );
      expect(mistakes).toEqual([]);
      expect(await writtenRows(context.database())).toEqual(before);
    },
    timeoutMs,
  );

  it('are taken at both edges of their bounds', { timeout: timeoutMs }, async () => {
    expect(await refusalsOf(all.filter(({ isAboutCount }) => !isAboutCount))).toEqual([]);
  });

  it('count characters as the description of their bounds does', { timeout: timeoutMs }, async () => {
    const counted = all.filter(({ isAboutCount }) => isAboutCount);
    expect(counted.length).toBeGreaterThan(20);
    expect(await refusalsOf(counted)).toEqual([]);
  });

  it('leave the service as it was', async () => {
    expect((await world.client.send({ method: 'GET', path: '/ready' })).json.status).toBe('ready');
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

async function casesOf(world: IsolationWorld): Promise<OperationCase[]> {
  const all: OperationCase[] = [];
  const seen = new Set<string>();
  for (const operation of distinctOperations(world)) {
    // What is wrong with a bundle is said in the answer to it, not by its status.
    if (!operation.body || operation.tag === 'configuration') continue;
    const valid = await validRequest(world, operation);
    const isNew = isCreate(operation) || operation.method === 'PUT';
    const source = {
      tag: operation.tag,
      schema: world.description.resolve(operation.body.schema),
      resolve: world.description.resolve,
      isMergePatch: operation.method === 'PATCH',
      fresh: () => {
        const mark = world.newMark();
        const { records } = world.own;
        return { mark, body: isNew ? bodyFor(operation.tag, { records, mark }) : valid.body };
      },
    };
    // Aliases of an operation take the same body, so that a part of the cases shows whether they look at it.
    const kind = `${operation.method} ${JSON.stringify(operation.body.schema)}`;
    const cases = fieldCases(source).filter((_, index) => !seen.has(kind) || index % aliasShare === 0);
    seen.add(kind);
    all.push(...cases.map((one) => ({ ...one, operation, valid })));
  }
  return all;
}

/** What may be wrong with a value that has the right form. */
const otherReasons: ReadonlySet<string> = new Set([
  'reference_not_found',
  'contradiction',
  'exactly_one_of',
  'not_allowed',
  'order',
  'needs_stream_protocol',
]);

/** Refusals are about fields, but for a tenant that is not the caller's. */
function mayRefuse({ pointer }: FieldCase, status: number): boolean {
  return status === 422 || (pointer === '/tenant_id' && (status === 400 || status === 403));
}

/** Whether a pointer is at a place or inside of what stands there. */
function concerns(pointer: string, place: string): boolean {
  return pointer === place || pointer.startsWith(`${place}/`);
}
