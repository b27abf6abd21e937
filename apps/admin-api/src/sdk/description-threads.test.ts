import { expect, it } from 'vitest';
import { DescriptionThreads } from './description-threads.ts';

it('a task is read once it has a place, because each may be a whole description', async () => {
  const threads = new DescriptionThreads();
  const read: string[] = [];
  const holds = Promise.withResolvers<never>();
  const run = (tenant: string, name: string, taskOf: () => Promise<never>): Promise<unknown> =>
    threads.run(tenant, 'generate', () => {
      read.push(name);
      return taskOf();
    });
  const first = run('acme', 'first', () => holds.promise);
  const second = run('acme', 'second', () => Promise.reject(new Error('gone')));
  await new Promise((resolve) => setImmediate(resolve));
  expect(read).toEqual(['first']);
  holds.reject(new Error('deleted'));
  const ends = await Promise.allSettled([first, second]);
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(read).toEqual(['first', 'second']);
  await threads.close();
});
