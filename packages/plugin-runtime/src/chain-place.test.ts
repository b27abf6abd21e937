import { describe, expect, it } from 'vitest';
import { createRuntime, type ChainPlace, type Plugin, type PluginCategory } from './index.ts';
import { exchangeOf, gateway, pluginOf } from './testing/fixtures.ts';

/** Where hooks found themselves, by the names that configs give. */
function notedPlaces() {
  const places: Record<string, ChainPlace> = {};
  const noting = (name: string, category: PluginCategory): Plugin =>
    pluginOf(
      name,
      ({ as }) => ({
        request: (_exchange, place) => void (places[String(as)] = place),
        response: () => undefined,
      }),
      { category },
    );
  const plugins = [noting('key', 'authentication'), noting('acl', 'access_control'), noting('cache', 'traffic')];
  return { places, plugins };
}

describe('the place of a request hook', () => {
  it('says who stands before and behind it, over both parts of a chain, disabled ones and other stages aside', async () => {
    const { places, plugins } = notedPlaces();
    const instances = [
      { id: 'cache-first', name: 'cache', priority: 10, config: { as: 'cache-first' } },
      { id: 'key', name: 'key', priority: 5, config: { as: 'key' } },
      { id: 'cache-between', name: 'cache', config: { as: 'cache-between' } },
      { id: 'off', name: 'acl', enabled: false, priority: -5, config: { as: 'off' } },
      { id: 'answers-only', name: 'acl', trigger: 'after_response', priority: -5, config: { as: 'answers-only' } },
      { id: 'somebody', name: 'acl', scope: 'consumer', consumer_id: 'c1', priority: -6, config: { as: 'somebody' } },
    ] as const;
    const inline = [
      { id: 'acl', name: 'acl', priority: 1000, config: { as: 'acl' } },
      { id: 'cache-last', name: 'cache', config: { as: 'cache-last' } },
    ];
    const chain = createRuntime({ plugins, instances, inline }).chainFor({ gateway });
    expect(await chain.runRequest(exchangeOf())).toBe('continue');
    expect(places).toEqual({
      'cache-first': { isBehindAuthentication: false, laterGuards: ['key', 'acl', 'acl'] },
      key: { isBehindAuthentication: false, laterGuards: ['acl', 'acl'] },
      'cache-between': { isBehindAuthentication: true, laterGuards: ['acl', 'acl'] },
      acl: { isBehindAuthentication: true, laterGuards: [] },
      'cache-last': { isBehindAuthentication: true, laterGuards: [] },
    });
  });

  it('is the same object for each request', async () => {
    const { places, plugins } = notedPlaces();
    const chain = createRuntime({
      plugins,
      inline: [{ name: 'cache', config: { as: 'cache' } }, { name: 'key' }],
    }).chainFor({ gateway });
    await chain.runRequest(exchangeOf());
    const before = places['cache'];
    await chain.runRequest(exchangeOf());
    expect(before?.laterGuards).toEqual(['key']);
    expect(places['cache']).toBe(before);
  });
});
