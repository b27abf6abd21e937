import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { readAiRecords } from '../config/tenant-records.ts';
import { matchesModel } from '../routing/model-pattern.ts';
import { consumerPoliciesSchema, groupPoliciesSchema, readConsumerPolicies, readGroupPolicies } from './policy-list.ts';
import type { AiPolicy } from './policy.ts';
import { readPolicy } from './read-policy.ts';
import { isAllowed, type OtherNames, policySubject, PolicyTable, selectPolicy } from './select-policy.ts';

const names = fc.constantFrom('c1', 'c2', 'vip', 'default', '*', '__proto__', 'constructor', 'toString');

describe('which policy a consumer has', () => {
  const policies = [
    readPolicy('*', {}, 'star'),
    readPolicy('anything', { group: 'vip' }, 'vip'),
    readPolicy('anything', { consumer_group: 'staff' }, 'staff'),
    readPolicy('c1', {}, 'by-name'),
    readPolicy('other', { consumer_id: 'c2' }, 'by-id'),
  ];
  const idOf = (id: string, groups: string[] = [], list: readonly AiPolicy[] = policies) =>
    selectPolicy(list, { id, groups })?.id;

  it('its own, then the first of its groups in their order, then default, then *', () => {
    expect([idOf('c1', ['vip']), idOf('c2', ['vip'])]).toEqual(['by-name', 'by-id']);
    expect([idOf('c3', ['x', 'staff', 'vip']), idOf('c3', ['vip', 'staff'])]).toEqual(['staff', 'vip']);
    expect([idOf('c3', ['x']), selectPolicy(policies, undefined)?.id]).toEqual(['star', 'star']);
    expect(idOf('c3', [], [...policies, readPolicy('default', {}, 'default')])).toBe('default');
    expect(idOf('c3', [], policies.slice(1))).toBeUndefined();
    expect(idOf('vip')).toBe('star');
  });

  it('is the same as asking one policy after the other', () => {
    const forms: fc.Arbitrary<'name' | 'id' | 'group'> = fc.constantFrom('name', 'id', 'group');
    const policy = fc.tuple(names, names, forms).map(([name, other, form]) => {
      const byId = other === '*' ? {} : { consumer_id: other };
      return { name, fields: form === 'name' ? {} : form === 'id' ? byId : { group: other } };
    });
    fc.assert(
      fc.property(fc.array(policy, { maxLength: 8 }), names, fc.array(names, { maxLength: 3 }), (given, id, groups) => {
        const list = given.map(({ name, fields }, index) => readPolicy(name, fields, String(index)));
        const first = (scope: string, name: string) =>
          list.find((one) => one.scope === scope && one.scopeName === name);
        const expected =
          first('consumer', id) ??
          groups.map((group) => first('group', group)).find((one) => one !== undefined) ??
          first('default', 'default') ??
          first('default', '*');
        expect(new PolicyTable(list).select({ id, groups })).toBe(expected);
      }),
    );
  });

  it('its limits count the consumer, or all of a group together, or all whom nobody identified', () => {
    const [star, vip, , own] = policies;
    const subjects = [star, vip, own].map((policy) => policy && policySubject(policy, { id: 'c1' }));
    expect(subjects).toEqual(['c1', 'vip', 'c1']);
    expect(star && policySubject(star, undefined)).toBe('*');
  });
});

describe('which models it allows', () => {
  const allows = (model: string, config: object) => isAllowed(readPolicy('p', config), model);

  it('all where none are named, denied ones never', () => {
    expect([allows('x', {}), allows('x', { allowed_models: [] }), isAllowed(undefined, 'x')]).toEqual([
      true,
      true,
      true,
    ]);
    expect(allows('gpt-4', { allowed_models: ['gpt-*'], denied_models: ['gpt-4'] })).toBe(false);
    expect(allows('gpt-4o', { allowed_models: ['gpt-*'], denied_models: ['gpt-4'] })).toBe(true);
    expect(allows('claude', { allowed_models: ['gpt-*'] })).toBe(false);
    expect(allows('any', { allowed_models: ['any'], denied_models: ['*'] })).toBe(false);
  });

  it('by the name that is asked for and that of its route: no alias and no spelling is a way round', () => {
    const named = (model: string, config: object, others: OtherNames) =>
      isAllowed(readPolicy('p', config), model, others);
    const route = { routeModel: 'gpt-4' };
    expect(named('fast', { denied_models: ['gpt-4'] }, route)).toBe(false);
    expect(named('fast', { denied_models: ['fast'] }, route)).toBe(false);
    expect(named('fast', { denied_models: ['gpt-5'] }, route)).toBe(true);
    expect(named('fast', { allowed_models: ['gpt-4'] }, route)).toBe(true);
    expect(named('fast', { allowed_models: ['slow'] }, route)).toBe(false);
    expect(named('GPT-4', { denied_models: ['gpt-*'] }, {})).toBe(false);
    expect(named('GPT-4', { allowed_models: ['gpt-4'] }, {})).toBe(false);
    expect(named('models/gpt-4', { denied_models: ['gpt-4'] }, { sentAs: ['models/gpt-4', 'gpt-4'] })).toBe(false);
    expect(named('models/gpt-4', { allowed_models: ['gpt-4'] }, { sentAs: ['models/gpt-4', 'gpt-4'] })).toBe(false);
  });

  it.each([
    ['*', '', true],
    ['gpt-*', 'gpt-', true],
    ['gpt-*', 'gpt', false],
    ['gpt', 'GPT', false],
    ['a*b', 'axb', false],
    ['a*b', 'a*b', true],
    ['', 'a', false],
    ['__proto__', '__proto__', true],
  ])('%j and %j: %j', (pattern, model, expected) => {
    expect(matchesModel(pattern, model)).toBe(expected);
  });
});

describe('configs', () => {
  it('zero and nothing switch limits off; a rate has a minute unless it says otherwise', () => {
    expect(readPolicy('p', {})).toMatchObject({ tokenBudget: 0, tokenBudgetWindowMs: 0, rateLimit: 0 });
    expect(readPolicy('p', { rate_limit: 5 })).toMatchObject({ rateLimit: 5, rateWindowMs: 60_000 });
    expect(readPolicy('p', { rate_limit: 5, rate_window_seconds: 0 })).toMatchObject({ rateLimit: 0 });
    expect(readPolicy('p', { token_budget: 9, token_budget_window_seconds: 3600 })).toMatchObject({
      tokenBudget: 9,
      tokenBudgetWindowMs: 3_600_000,
    });
  });

  it('maps and lists of ai_proxy are read alike', () => {
    const list = [{ consumer_id: 'c1', rate_limit: 1 }, { name: '*', token_budget: 2 }, { consumer_id: 'default' }];
    const map = { c1: { rate_limit: 1 }, '*': { token_budget: 2 }, default: {} };
    expect(readConsumerPolicies(map, 'i')).toEqual(readConsumerPolicies(list, 'i'));
    expect(readConsumerPolicies(map, 'i').map(({ scope }) => scope)).toEqual(['consumer', 'default', 'default']);
    const groups = [{ group: 'default' }, { consumer_group: 'vip' }, { name: 'staff' }];
    const groupMap = { default: {}, vip: {}, staff: {} };
    expect(readGroupPolicies(groupMap, 'i').map(({ scope, scopeName }) => [scope, scopeName])).toEqual([
      ['group', 'default'],
      ['group', 'vip'],
      ['group', 'staff'],
    ]);
    expect(readGroupPolicies(groups, 'i')).toEqual(readGroupPolicies(groupMap, 'i'));
    for (const given of [list, map]) expect(v.is(consumerPoliciesSchema, given)).toBe(true);
    for (const given of [groups, groupMap]) expect(v.is(groupPoliciesSchema, given)).toBe(true);
  });

  it.each([
    [consumerPoliciesSchema, [{ rate_limit: 1 }]],
    [consumerPoliciesSchema, [{ consumer_id: 'a' }, { name: 'a' }]],
    [consumerPoliciesSchema, { a: { consumer_id: 'b' } }],
    [consumerPoliciesSchema, { a: { group: 'b' } }],
    [groupPoliciesSchema, { a: { consumer_id: 'b' } }],
    [groupPoliciesSchema, [{ group: 'a', consumer_group: 'b' }]],
    [groupPoliciesSchema, [{ group: 'a' }, { consumer_group: 'a' }]],
  ])('refuses what says two things, or nothing %#', (schema, given) => {
    expect(v.is(schema, given)).toBe(false);
  });

  it('a record that cannot be read denies all to whom it is for, and a route is left out', () => {
    const records = [
      { id: 'r1', kind: 'policy', name: 'p', config: { consumer_group: 'vip', token_budget: -1 } },
      { id: 'r2', kind: 'policy', name: 'default', config: { rate_limit: 'many' } },
      { id: 'r3', kind: 'model_route', name: 'm', config: { targets: [] } },
      { id: 'r4', kind: 'cache', name: 'c', config: {} },
      { id: 'r5', kind: 'model_route', name: 'ok', config: { targets: [{ provider: 'p', model: 'm' }] } },
    ];
    const { routes, policies, problems } = readAiRecords(records);
    expect(routes.map(({ id }) => id)).toEqual(['r5']);
    expect(problems.map(({ record }) => record)).toEqual(['r1', 'r2', 'r3']);
    const allowed = [['vip'], []].map((groups) => isAllowed(selectPolicy(policies, { id: 'c', groups }), 'ok'));
    expect([allowed, policies.map(({ scopeName }) => scopeName)]).toEqual([
      [false, false],
      ['vip', 'default'],
    ]);
  });
});
