import { describe, expect, it } from 'vitest';
import { daemonMetrics } from './index.ts';
import { TAGS_MAX } from './tags.ts';

const right = { host: 'statsd.test', port: 8125 };

describe('the config of daemon_metrics', () => {
  it.each([
    ['tags', ['a\nb:1|c']],
    ['tags', ['a:b|c']],
    ['tags', ['a:b,c:d']],
    ['tags', ['a:b#c']],
    ['tags', ['a:b@c']],
    ['tags', ['a:b:c']],
    ['tags', ['a:']],
    ['tags', [':a']],
    ['tags', ['a']],
    ['tags', ['a: b']],
    ['tags', ['ä:b']],
    ['tags', ['status:1']],
    ['tags', { route: 'x' }],
    ['tags', { 'a\nb': '1' }],
    ['tags', { a: '1\n' }],
    ['tags', { a: 'b;c=d' }],
    ['tags', { a: 1 }],
    ['tags', { a: '' }],
    ['tags', 'a:b'],
    ['tags', Array.from({ length: TAGS_MAX + 1 }, (_, index) => `a${index}:b`)],
    ['tags', Object.fromEntries([1, 2, 3, 4, 5].map((index) => [`a${index}`, 'b'.repeat(90)]))],
    ['namespace', ''],
    ['namespace', 'a..b'],
    ['namespace', '.a'],
    ['namespace', 'a b'],
    ['namespace', 'a\nb:1|c'],
    ['namespace', 'a'.repeat(101)],
    ['sample_rate', 0],
    ['sample_rate', 1.1],
    ['sample_rate', -1],
    ['tag_format', 'prometheus'],
    ['host', 'a:8125'],
    ['port', 0],
    ['dry_run', 'yes'],
    ['capture_to_state', 1],
  ])('refuses %s: %j', (field, value) => {
    const compiled = daemonMetrics.plugin.compile({ ...right, [field]: value });
    expect(compiled).toMatchObject({ ok: false });
    const pointers = compiled.ok ? [] : compiled.issues.map(({ pointer }) => pointer);
    expect(pointers.filter((pointer) => !pointer.startsWith(`/${field}`))).toEqual([]);
  });

  it.each([
    ['tags', { tags: ['a:b'] }],
    ['include_route_tags', { include_route_tags: true }],
  ])('refuses %s in a form without tags', (field, more) => {
    for (const tag_format of ['statsd', 'none'])
      expect(daemonMetrics.plugin.compile({ ...right, ...more, tag_format })).toMatchObject({
        ok: false,
        issues: [{ pointer: `/${field}` }],
      });
    expect(daemonMetrics.plugin.compile({ ...right, ...more })).toMatchObject({ ok: true });
  });

  it.each([
    [{ tags: ['env:prod', 'version:1.2.3', 'zone:eu-west-1a'] }],
    [{ tags: { env: 'prod', 'team.name': 'a/b+c' } }],
    [{ tags: [], sample_rate: 1 }],
    [{ tags: {}, namespace: 'acme.edge-1.gw_2' }],
    [{ tags: null, sample_rate: null, tag_format: null }],
  ])('takes %j', (more) => expect(daemonMetrics.plugin.compile({ ...right, ...more })).toMatchObject({ ok: true }));
});
