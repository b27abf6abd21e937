import { familyNamed } from '@portcullis/resources';
import type { Family } from '@portcullis/resources';
import { describe, expect, it } from 'vitest';
import type { Values } from '../resources/values.ts';
import { Anticipations } from './anticipations.ts';
import { desiredKey, planBundle } from './bundle-plan.ts';
import type { BundlePlan } from './bundle-plan.ts';

const credentials = familyNamed('consumer-credentials');

/** Slow work for credentials only, which notes what it was asked and how much of it runs at once. */
function slowWriter() {
  const asked: string[] = [];
  let running = 0;
  let most = 0;
  return {
    asked,
    most: () => most,
    anticipates: (family: Family) => family === credentials,
    async anticipate(_family: Family, sent: Values): Promise<Values> {
      asked.push(String(sent['username']));
      most = Math.max(most, (running += 1));
      await Promise.resolve();
      running -= 1;
      return { password_hash: `hash of ${String(sent['password'])}` };
    },
  };
}

async function planOf(users: readonly string[], prefix = 'new'): Promise<BundlePlan> {
  const document = {
    tenant_id: 'acme',
    consumers: [{ username: 'ann' }],
    consumer_credentials: users.map((username) => ({
      consumer_name: 'ann',
      type: 'basic',
      username,
      password: `password of ${username}`,
    })),
  };
  let made = 0;
  const plan = await planBundle(
    { purpose: 'apply', strict: true, document, live: {} },
    {
      newId: () => `${prefix}-${String((made += 1)).padStart(4, '0')}`,
      masksOf: async (secrets) => secrets.map(() => ''),
    },
  );
  expect(plan.errors).toEqual([]);
  return plan;
}

describe('the slow work of a plan', () => {
  it('is done for the records that need it, some at once, and found again by what is sent', async () => {
    const writer = slowWriter();
    const anticipations = new Anticipations(writer, 'acme');
    const users = Array.from({ length: 20 }, (_, index) => `user-${index}`);
    const plan = await planOf(users);
    await anticipations.prepare(plan);
    expect(writer.asked.toSorted()).toEqual(users.toSorted());
    expect(writer.most()).toBeGreaterThan(1);
    expect(writer.most()).toBeLessThanOrEqual(4);
    const change = plan.diff.changes.find(({ resource_type: type }) => type === 'consumer_credentials');
    const { id: _, ...sent } = plan.desired.get(desiredKey('consumer_credentials', change?.id ?? '')) ?? {};
    expect(anticipations.of(credentials, sent)).toEqual({ password_hash: `hash of ${String(sent['password'])}` });
    expect(anticipations.of(familyNamed('consumers'), { username: 'ann' })).toEqual({});
  });

  it('is not done twice when the bundle has to be planned again', async () => {
    const writer = slowWriter();
    const anticipations = new Anticipations(writer, 'acme');
    await anticipations.prepare(await planOf(['one']));
    // The consumer of the first plan was never written: its ID, which a credential holds, is another one now.
    const again = await planOf(['one'], 'newer');
    await anticipations.prepare(again);
    expect(writer.asked).toEqual(['one']);
  });
});
