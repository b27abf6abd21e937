import { ExchangeState, createRuntime, type StageResult } from '@portcullis/plugin-runtime';
import type { PluginCase } from './plugin-case.ts';

/** Runs one request through the compiled chain of the case's one instance. */
export type CaseRun = (headers?: readonly string[]) => StageResult | Promise<StageResult>;

/** Compiles a case's chain. Every request is a new one, as in a gateway; making it is part of what the empty plugin costs, too. */
export function caseRun(one: PluginCase): CaseRun {
  const { plugin, config, consumers, outbound, secrets } = one;
  const runtime = createRuntime({
    plugins: [plugin],
    instances: [{ id: 'instance', name: plugin.name, config, trigger: 'all' }],
    ...(outbound && { outbound }),
    ...(secrets && { secrets }),
  });
  const gateway = { id: 'g1', name: 'edge' };
  const chain = runtime.chainFor({ gateway });
  const facts = { requestId: 'r1', tenantId: 't1', gateway };
  const { body, peerCertificates = [] } = one;
  return (headers = one.headers) =>
    chain.runRequest(
      new ExchangeState({
        facts,
        request: {
          method: one.method ?? 'GET',
          scheme: 'http',
          host: 'api.test',
          path: one.path ?? '/orders',
          query: one.query ?? '',
          headers: [...headers],
          clientIp: '192.0.2.1',
          isFromTrustedPeer: one.isFromTrustedPeer ?? false,
          peerCertificates: () => peerCertificates,
          ...(body && { readBody: () => Promise.resolve(body) }),
        },
        ...(consumers && { consumers }),
      }),
    );
}

/** @throws Error when the request does not end as the case says: then something else would be measured */
export async function checkCase(one: PluginCase, run: CaseRun): Promise<void> {
  const wanted = one.ends ?? 'continue';
  // Twice: what is kept after the first time must give the same.
  for (const time of ['first', 'second']) {
    const result = await run();
    if (result !== wanted)
      throw new Error(`${one.plugin.name}: the ${time} request ends with ${result}, not ${wanted}`);
  }
}
