import type { DeliveredRecord } from '@portcullis/resources';
import { expect, it } from 'vitest';
import { manager, textOf, type Tables } from './configuration-manager.test-support.ts';

it('an upstream that was removed is not checked any more, however long a request has it', async () => {
  const service = (id: string): [string, DeliveredRecord] => [id, { id, name: id, upstream_id: `u-${id}` }];
  const upstream = (id: string): [string, DeliveredRecord] => [`u-${id}`, { id: `u-${id}`, name: id }];
  const target = (id: string): [string, DeliveredRecord] => [
    `t-${id}`,
    { id: `t-${id}`, upstream_id: `u-${id}`, host: '10.0.0.1', port: 80 },
  ];
  const tables: Tables = {
    services: new Map(['stays', 'goes'].map(service)),
    routes: new Map(['stays', 'goes'].map((id) => [id, { id, name: id, service_id: id, paths: [`/${id}`] }])),
    upstreams: new Map(['stays', 'goes'].map(upstream)),
    targets: new Map(['stays', 'goes'].map(target)),
    plugins: new Map(),
  };
  const { take, live, health, acks, stop } = manager();
  const checked = (): string[] => Array.from(health.report(), ({ targetId }) => targetId).toSorted();
  await take(textOf(1, tables).text);
  const long = live.current;
  long?.hold();
  expect(checked()).toEqual(['t-goes', 't-stays']);
  tables.plugins.set('p', { id: 'p', name: 'rate_limiter', config: { limit: 'all' } });
  await take(textOf(2, tables).text);
  expect([acks.at(-1)?.status, checked()]).toEqual(['rejected', ['t-goes', 't-stays']]);
  tables.plugins.clear();
  for (const table of [tables.services, tables.routes]) table.delete('goes');
  tables.upstreams.delete('u-goes');
  tables.targets.delete('t-goes');
  await take(textOf(3, tables).text);
  expect([acks.at(-1)?.status, checked()]).toEqual(['applied', ['t-stays']]);
  // The long request would still be sent there.
  expect(long?.router.get('goes')?.balancer?.refusal()).toBe('unusable');
  long?.release();
  expect(checked()).toEqual(['t-stays']);
  stop();
});
