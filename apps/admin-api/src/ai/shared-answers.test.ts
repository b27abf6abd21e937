import { expect, it } from 'vitest';
import { pluginBehaviour, routeBehaviour } from '../plugins/plugin-behaviour.ts';
import { aiRecordBehaviour } from './ai-record-behaviour.ts';
import { allowSharedAnswers, sharingProblems } from './shared-answers.ts';

it.each([
  [{ vary_by_tenant: false }, false, ['/config/vary_by_tenant']],
  [{ vary_by_tenant: false }, true, []],
  [{ vary_by_tenant: true }, false, []],
  [{}, false, []],
  ['text', false, []],
  [undefined, false, []],
])('%j where tenants may share: %s', (config, mayShare, pointers) => {
  expect(sharingProblems(config, '/config', mayShare).map(({ pointer }) => pointer)).toEqual(pointers);
});

const semantic_cache = { mode: 'exact', vary_by_tenant: false };
const proxy = {
  name: 'ai_proxy',
  config: { providers: [{ name: 'p', type: 'openai', api_key: 'k' }], semantic_cache },
};
const base = { tenant_id: 'acme', scope: 'tenant', enabled: true };

it.each([
  ['an AI record', aiRecordBehaviour, { kind: 'cache', config: semantic_cache }, '/config/vary_by_tenant'],
  ['a plugin', pluginBehaviour, { ...base, ...proxy }, '/config/semantic_cache/vary_by_tenant'],
  ['a route', routeBehaviour, { plugins: [proxy] }, '/plugins/0/config/semantic_cache/vary_by_tenant'],
])('%s is refused where the operator says nothing', (_, behaviour, record, pointer) => {
  expect(behaviour.check?.(record)).toMatchObject([{ pointer, code: 'not_allowed' }]);
});

it('is taken where the operator lets tenants share', () => {
  allowSharedAnswers(true);
  expect(aiRecordBehaviour.check?.({ kind: 'cache', config: semantic_cache })).toEqual([]);
  allowSharedAnswers(false);
});
