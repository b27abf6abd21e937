import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { describeOnEachDatabase, type SuiteContext } from '../database/each-database.test-support.ts';
import { type AccessCase, accessCase, namingCases } from './access-cases.test-support.ts';
import { accessRuleOf, levelOf } from './access-rules.test-support.ts';
import type { DescribedOperation } from './described-operations.test-support.ts';
import { inParallel } from './http-client.test-support.ts';
import { canary, type IsolationWorld, startIsolationWorld } from './isolation-world.test-support.ts';
import type { TestPrincipal } from './principals.test-support.ts';
import { familyOf } from './sample-requests.test-support.ts';

const timeoutMs = 240_000;

describeOnEachDatabase('every operation for everyone', (context: SuiteContext) => {
  let world: IsolationWorld;
  beforeAll(async () => {
    world = await startIsolationWorld(context.url());
  }, timeoutMs);
  afterAll(() => world.stop());
  afterEach(() => {
    expect(world.takeScandals(), 'answers that may never be given').toEqual([]);
    expect(world.takeLeaks(), 'what the caller may not see').toEqual([]);
  });

  /** Sends it and gives what was wrong with the answer. */
  const mistakeIn = async ({ title, request, statuses, code }: AccessCase): Promise<string[]> => {
    const reply = await world.client.send(request);
    const { json } = reply;
    const words = literalWords.get(json?.code);
    const isRight =
      statuses.includes(reply.status) &&
      (code === undefined || json?.code === code) &&
      (words === undefined || json.detail === words);
    const hasChallenge = reply.status !== 401 || isChallenge(reply.headers['www-authenticate']);
    if (isRight && hasChallenge) return [];
    const wanted = `${statuses.join(' or ')}${code === undefined ? '' : ` ${code}`}`;
    return [`${title}: wanted ${wanted}, got ${reply.status} ${reply.text.slice(0, 200)}`];
  };

  it('holds a record of every family in both tenants', () => {
    expect([...world.own.unfilled, ...world.other.unfilled]).toEqual([]);
  });

  it('knows for every operation who may call it and what its path names', () => {
    const unknown: string[] = [];
    for (const operation of world.description.operations) {
      try {
        accessRuleOf(operation);
        operation.pathParameters.forEach(familyOf);
      } catch (error) {
        unknown.push(String(error));
      }
    }
    expect(unknown).toEqual([]);
    expect(world.description.operations.length).toBeGreaterThan(200);
  });

  it('says of every operation in its description what the requirement says', () => {
    const said = world.description.operations.map((operation) => [operation.title, operation.access]);
    const wanted = world.description.operations.map((operation) => [operation.title, levelOf(operation)]);
    expect(said).toEqual(wanted);
  });

  it(
    'answers everyone as the requirement says, under every prefix',
    async () => {
      const mistakes: string[] = [];
      let done = 0;
      const first = new Set<string>();
      const pairs = world.description.operations.flatMap((operation) => {
        const isFurtherPath = first.has(operation.id);
        first.add(operation.id);
        // What stands in front of a database is the same for both.
        if (isFurtherPath && context.dialect === 'postgres') return [];
        return askersOf(world, operation, isFurtherPath).map((who) => ({ operation, who }));
      });
      const ask = async ({ operation, who }: (typeof pairs)[number]): Promise<void> => {
        const found = await accessCase(world, operation, who).then(mistakeIn, reasonOf);
        mistakes.push(...found);
        done += 1;
      };
      await inParallel(
        pairs.filter(({ operation }) => !needsQuiet(operation)),
        ask,
      );
      await inParallel(
        pairs.filter(({ operation }) => needsQuiet(operation)),
        ask,
        1,
      );
      expect(mistakes).toEqual([]);
      expect(done).toBe(pairs.length);
    },
    timeoutMs,
  );

  it(
    'refuses who names a tenant that is not theirs, and one that does not exist in the same words',
    async () => {
      const mistakes: string[] = [];
      let done = 0;
      const foreigners = world.principals.filter(({ belongsTo }) => ['parent', 'child', 'other'].includes(belongsTo));
      const namers = [
        ...foreigners.map((who) => ({ who, named: world.own.id })),
        // A parent may read its children's records of tenants, and nothing else of theirs.
        { who: world.principal('admin'), named: world.childId },
        { who: world.principal('both token'), named: world.other.id },
      ];
      const pairs = distinct(world.description.operations).flatMap((operation) =>
        namers.map((namer) => ({ operation, namer })),
      );
      await inParallel(pairs, async ({ operation, namer }) => {
        const cases = await namingCases(world, operation, namer).catch((error: unknown) => {
          mistakes.push(...reasonOf(error));
          return [];
        });
        for (const one of cases) {
          mistakes.push(...(await mistakeIn(one)));
          done += 1;
        }
      });
      expect(mistakes).toEqual([]);
      expect(done).toBeGreaterThan(foreigners.length * 50);
    },
    timeoutMs,
  );

  it('says how to be let in to whoever fails to log in, too', async () => {
    for (const path of ['/auth/login', '/auth/refresh', '/auth/logout']) {
      const body = path === '/auth/login' ? { username: 'nobody', password: 'wrong' } : { refresh_token: 'none' };
      const { status, headers } = await world.client.send({ method: 'POST', path, body });
      // Too many failures are answered with 429, which has no such header.
      if (status === 401) expect(isChallenge(headers['www-authenticate']), path).toBe(true);
      else expect(status, path).toBe(429);
    }
  });

  it('logged no text of a tenant and no secret', () => {
    expect(world.logLines.length).toBeGreaterThan(1000);
    // A path is what the caller sent.
    const lines = world.logLines.map((line) => line.replace(/"path":"[^"]*",?/, ''));
    expect(lines.filter((line) => line.includes(canary) || line.includes('SECRET-0123456789'))).toEqual([]);
    expect(lines.filter((line) => line.includes('eyJ') || line.includes('gwadm_'))).toEqual([]);
  });
});

/** What is said is fixed. Source: spec, Errors. */
const literalWords: ReadonlyMap<unknown, string> = new Map([
  ['tenant_required', 'tenant_id is required'],
  ['cross_tenant', 'Cannot access another tenant'],
]);

/** A refusal says how to be let in. Source: RFC 9110, 11.6.1. */
function isChallenge(challenge: string | undefined): boolean {
  return challenge?.startsWith('Bearer ') === true;
}

/** Each operation at its first path. */
function distinct(operations: readonly DescribedOperation[]): DescribedOperation[] {
  return [...new Map(operations.toReversed().map((operation) => [operation.id, operation])).values()];
}

/** Everyone; a few at an operation's further paths, and where nobody is asked who they are. */
function askersOf(
  world: IsolationWorld,
  operation: DescribedOperation,
  isFurtherPath: boolean,
): readonly TestPrincipal[] {
  if (levelOf(operation) === 'public') return world.principals.slice(0, 2);
  return isFurtherPath ? world.principals.filter(({ name }) => fewNames.has(name)) : world.principals;
}

const fewNames: ReadonlySet<string> = new Set([
  'anonymous',
  'revoked token',
  'reader',
  'read token',
  'admin',
  'node',
  'admin of other',
  'super administrator',
]);

/** A plan for a tenant's whole configuration gives up when others write to it all the time, and few at a time read a whole log. */
function needsQuiet({ path }: DescribedOperation): boolean {
  return path.includes('/config/') || path.endsWith('/audits/verify') || path.endsWith('/audits/export');
}

function reasonOf(error: unknown): string[] {
  return [String(error)];
}
