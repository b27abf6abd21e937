import { describe, expect, it } from 'vitest';
import { createRuntime, type HookFault, type ObservationEdits } from './index.ts';
import { exchangeOf, gateway, pluginOf } from './testing/fixtures.ts';

/** Runs request and response hooks that say these, and gives what is known then. */
function observed(request: ObservationEdits[], response: ObservationEdits[] = []) {
  const faults: HookFault[] = [];
  const plugins = [
    ...request.map((observation, index) => pluginOf(`q${index}`, () => ({ request: () => ({ observation }) }))),
    ...response.map((observation, index) => pluginOf(`r${index}`, () => ({ response: () => ({ observation }) }))),
  ];
  const instances = plugins.map(({ name }) => ({ id: name, name, trigger: 'all' as const }));
  const events = { onHookFault: (_instance: object, _stage: string, fault: HookFault) => void faults.push(fault) };
  const chain = createRuntime({ plugins, instances, events }).chainFor({ gateway });
  const exchange = exchangeOf();
  void chain.runRequest(exchange);
  exchange.setResponse({ status: 200, headers: [], source: 'upstream' });
  void chain.runResponse(exchange);
  return { observation: exchange.observation, faults };
}

describe('observations of plugins', () => {
  it('are empty until somebody says something', () => {
    expect(exchangeOf().observation).toEqual({});
    expect(observed([{}]).observation.sampled).toBeUndefined();
  });

  it('are put together: the last word on sampling, and the fields of all', () => {
    const { observation } = observed(
      [{ sampled: false }, { ai: { model: 'small', tokens: 3 } }],
      [{ sampled: true, ai: { tokens: 9 } }, {}],
    );
    expect(observation).toEqual({ sampled: true, ai: { model: 'small', tokens: 9 } });
  });

  it('are copies: a plugin that changes its own later changes nothing', () => {
    const ai: Record<string, unknown> = { model: 'small' };
    const { observation } = observed([{ ai }]);
    ai['model'] = 'large';
    expect(observation.ai).toEqual({ model: 'small' });
    expect(Object.isFrozen(observation) && Object.isFrozen(observation.ai)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a text', 'sampled'],
    ['null', null],
    ['a word for sampled', { sampled: 'yes' }],
    ['a list of fields', { ai: ['model'] }],
    [
      'more fields than a record takes',
      { ai: Object.fromEntries(Array.from({ length: 65 }, (_n, i) => [`f${i}`, i])) },
    ],
  ])('are refused when they are %s, and nothing has changed then', (_name, bad) => {
    for (const stages of [
      [[bad], []],
      [[], [bad]],
    ]) {
      const [request, response] = stages as [ObservationEdits[], ObservationEdits[]];
      expect(observed(request, response)).toEqual({ observation: {}, faults: ['bad_result'] });
    }
  });
});
