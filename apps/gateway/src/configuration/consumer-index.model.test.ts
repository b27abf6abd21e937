import type { ConsumerIdentity } from '@portcullis/plugin-runtime';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apiKey, basic, consumer, hmac, indexBench, jwt } from './consumer-index.test-support.ts';
import type { ConsumerRecord, CredentialRecord } from './records.ts';

const ids = ['1', '2', '3', '4'] as const;
const names = ['x', 'y', 'z'] as const;
const makers = { api_key: apiKey, basic, hmac, jwt } as const;
const types = Object.keys(makers) as (keyof typeof makers)[];

/** A record that is put, or whose ID is dropped. */
type Change =
  | { readonly family: 'consumers'; readonly id: string; readonly record?: ConsumerRecord }
  | { readonly family: 'consumer_credentials'; readonly id: string; readonly record?: CredentialRecord };

const consumerChange = fc
  .record({
    id: fc.constantFrom(...ids),
    username: fc.constantFrom(...names, ...ids),
    customId: fc.option(fc.constantFrom(...names), { nil: undefined }),
    group: fc.constantFrom('g', 'h'),
    isThere: fc.integer({ max: 3 }),
    enabled: fc.boolean(),
  })
  .map(({ id, username, customId, group, isThere, enabled }): Change => {
    const record = consumer(id, { username, custom_id: customId, groups: [group], enabled });
    return { family: 'consumers', id, ...(isThere === 0 ? {} : { record }) };
  });

const credentialChange = fc
  .record({
    id: fc.constantFrom(...ids, '5', '6'),
    owner: fc.constantFrom(...ids),
    type: fc.constantFrom(...types),
    name: fc.constantFrom(...names),
    isThere: fc.integer({ max: 3 }),
  })
  .map(({ id, owner, type, name, isThere }): Change => {
    return { family: 'consumer_credentials', id, ...(isThere === 0 ? {} : { record: makers[type](id, owner, name) }) };
  });

const history = fc.array(fc.array(fc.oneof(consumerChange, credentialChange), { maxLength: 8 }), { maxLength: 12 });

/** All records as they are, and what a look-up has to find among them. */
class NaiveDirectory {
  readonly #consumers = new Map<string, ConsumerRecord>();
  readonly #credentials = new Map<string, CredentialRecord>();

  take(change: Change): void {
    const { id } = change;
    if (change.record === undefined) (change.family === 'consumers' ? this.#consumers : this.#credentials).delete(id);
    else if (change.family === 'consumers') this.#consumers.set(id, change.record);
    else this.#credentials.set(id, change.record);
  }

  credential(type: keyof typeof makers, name: string): ConsumerIdentity | undefined {
    const fields = ['username', 'key_id', 'key', 'key_hash'] as const;
    const wanted = makers[type]('', '', name);
    const [found] = [...this.#credentials.values()]
      .filter((one) => one.type === type && fields.every((field) => one[field] === wanted[field]))
      .filter((one) => this.#consumers.get(one.consumer_id)?.enabled)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const owner = found && this.#consumers.get(found.consumer_id);
    return owner && found && { ...identityOf(owner), credentialId: found.id };
  }

  consumer(reference: string): ConsumerIdentity | 'disabled' | undefined {
    const all = [...this.#consumers.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));
    for (const naming of ['id', 'username', 'custom_id'] as const) {
      const found = all.find((one) => one[naming] === reference);
      if (found !== undefined) return found.enabled ? identityOf(found) : 'disabled';
    }
    return undefined;
  }
}

function identityOf({ id, username, custom_id: customId, groups }: ConsumerRecord): ConsumerIdentity {
  return {
    ...{ id, groups },
    ...(typeof username === 'string' ? { username } : {}),
    ...(typeof customId === 'string' ? { customId } : {}),
  };
}

describe('the index of consumers after any changes', () => {
  it('finds what a search through all records finds, and earlier directories what they found', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const { put, drop, build } = indexBench();
        const naive = new NaiveDirectory();
        const earlier: { readonly read: () => unknown; readonly was: unknown }[] = [];
        for (const step of steps) {
          for (const change of step) {
            naive.take(change);
            if (change.record === undefined) drop(change.family, change.id);
            else put(change.record);
          }
          const found = await build();
          const read = () => [
            names.map((name) => [
              ...[found.findApiKey(name)?.consumer, found.findBasic(name)?.match.consumer],
              ...[found.findHmac(name)?.match.consumer, found.findJwt(name)?.match.consumer],
            ]),
            [...ids, ...names].map((name) => found.findConsumer(name)),
          ];
          const expected = [
            names.map((name) => types.map((type) => naive.credential(type, name))),
            [...ids, ...names].map((name) => naive.consumer(name)),
          ];
          expect(read()).toEqual(expected);
          earlier.push({ read, was: expected });
        }
        for (const { read, was } of earlier) expect(read()).toEqual(was);
      }),
      { numRuns: 150 },
    );
  });
});
