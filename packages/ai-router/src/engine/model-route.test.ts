import { expect, it } from 'vitest';
import { routeOver, startTestRouter } from './router.test-support.ts';

it.each([
  ['smart', 'smart'],
  ['clever', 'smart'],
  ['gpt-anything', 'gpt-*'],
  ['whatever a client wrote', null],
])('the record of a request for %s has %s as what the config calls it', async (model, expected) => {
  await using test = await startTestRouter({
    providers: { first: {} },
    routes: [routeOver('smart', ['first'], { aliases: ['clever'] }), routeOver('gpt-*', ['first'])],
    defaultProvider: 'first',
  });
  await test.ask({ model });
  expect(test.records).toMatchObject([{ requested_model: model, model_route: expected, provider: 'first' }]);
});
