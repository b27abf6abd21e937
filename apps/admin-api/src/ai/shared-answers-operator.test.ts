import { expect, it } from 'vitest';
import { describeOnEachDatabase } from '../database/each-database.test-support.ts';
import { startTestService } from '../testing/test-service.test-support.ts';

/** Bundles are planned in a thread, which has to know what the operator allows, too. */
const RECORDS = 3;

describeOnEachDatabase('tenants that would share cached answers', (context) => {
  it.each(['on', 'off'])('are asked of the operator, by records, plugins and bundles: %s', async (setting) => {
    const service = await startTestService(context.url(), { settings: { PORTCULLIS_AI_SHARED_CACHE: setting } });
    try {
      const tenant = `acme-${setting}`;
      await service.addTenant(tenant);
      const send = async (path: string, body: object): Promise<[number, unknown]> => {
        const answer = await service.call(
          'POST',
          `/api/v1/admin${path}${path.includes('?') ? '&' : '?'}tenant_id=${tenant}`,
          body,
        );
        return [answer.status, answer.body.errors?.[0]?.pointer ?? answer.body.status];
      };
      const config = { vary_by_tenant: false };
      const record = (index: number) => ({ kind: 'cache', name: `cache-${index}`, config });
      const providers = [{ name: 'p', type: 'openai', api_key: 'k' }];
      const plugin = { name: 'ai_proxy', config: { providers, semantic_cache: config } };
      const ai_records = Array.from({ length: RECORDS }, (_, index) => record(index));
      const answers = [
        await send('/ai-gateway/records', record(RECORDS)),
        await send('/plugins', plugin),
        await send('/config/import?snapshot=false', { tenant_id: tenant, ai_records }),
      ];
      expect(answers).toEqual(
        setting === 'on'
          ? [
              [201, undefined],
              [201, undefined],
              [200, 'success'],
            ]
          : [
              [422, '/config/vary_by_tenant'],
              [422, '/config/semantic_cache/vary_by_tenant'],
              [200, 'failed'],
            ],
      );
    } finally {
      await service.stop();
    }
  });
});
