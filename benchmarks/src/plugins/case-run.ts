import { ExchangeState, createRuntime, type StageResult } from '@portcullis/plugin-runtime';
import type { PluginCase } from './plugin-case.ts';

/** Runs one request through the compiled chain of the case's one instance. */
export type CaseRun = (headers?: readonly string[], clientIp?: string) => StageResult | Promise<StageResult>;

const smallAnswer = new TextEncoder().encode('{"orders":[]}');

/** Compiles a case's chain. Every request is a new one, as in a gateway; making it is part of what the empty plugin costs, too. */
export function caseRun(one: PluginCase): CaseRun {
  const { plugin, config, consumers, outbound, secrets, sharedStore, logFilesOf } = one;
  const runtime = createRuntime({
    plugins: [plugin],
    instances: [{ id: 'instance', name: plugin.name, config, trigger: 'all' }],
    ...(outbound && { outbound }),
    ...(secrets && { secrets }),
    ...(sharedStore && { sharedStore }),
    ...(logFilesOf && { logFilesOf }),
  });
  const gateway = { id: 'g1', name: 'edge' };
  const chain = runtime.chainFor({ gateway });
  const facts = { requestId: 'r1', tenantId: 't1', gateway };
  const { body, peerCertificates = [], consumer, answer = [], answerBody = smallAnswer } = one;
  const exchangeOf = (headers: readonly string[], clientIp: string): ExchangeState => {
    const exchange = new ExchangeState({
      facts,
      request: {
        method: one.method ?? 'GET',
        scheme: 'http',
        host: 'api.test',
        path: one.path ?? '/orders',
        query: one.query ?? '',
        headers: [...headers],
        clientIp,
        isFromTrustedPeer: one.isFromTrustedPeer ?? false,
        peerCertificates: () => peerCertificates,
        ...(body && { readBody: () => Promise.resolve(body) }),
      },
      ...(consumers && { consumers }),
    });
    if (consumer !== undefined) exchange.applyRequestEdits({ consumer });
    return exchange;
  };
  const answered = (exchange: ExchangeState, result: StageResult): StageResult | Promise<StageResult> => {
    if (result === 'continue')
      exchange.setResponse({ status: 200, headers: [...answer], source: 'upstream', body: answerBody });
    const ended = chain.runResponse(exchange);
    const end = (): StageResult => {
      exchange.end({ status: 200, isComplete: true });
      return result;
    };
    return ended instanceof Promise ? ended.then(end) : end();
  };
  return (headers = one.headers, clientIp = '192.0.2.1') => {
    const exchange = exchangeOf(headers, clientIp);
    const result = chain.runRequest(exchange);
    if (one.isWhole !== true) return result;
    return result instanceof Promise ? result.then((came) => answered(exchange, came)) : answered(exchange, result);
  };
}

/** @throws Error when the request does not end as the case says: then something else would be measured */
export async function checkCase(one: PluginCase, run: CaseRun): Promise<void> {
  const wanted = one.ends ?? 'continue';
  for (let sent = 0; sent < (one.before ?? 0); sent += 1) await run();
  // Twice: what is kept after the first time must give the same.
  for (const time of ['first', 'second']) {
    const result = await run();
    if (result !== wanted)
      throw new Error(`${one.plugin.name}: the ${time} request ends with ${result}, not ${wanted}`);
  }
}
