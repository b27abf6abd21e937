/**
 * Times of an AI router's cache and guards in one process: the same things by turns, so that all are disturbed alike. Prints microseconds of processor time.
 */
import {
  AnswerCache,
  AnswerMemory,
  compileGuard,
  createEmbedder,
  createLocalLimits,
  createRouter,
  piiTypes,
  readCache,
  readModelRoute,
  readProvider,
  systemTimers,
  TargetOrder,
  type Router,
  type Transport,
} from '@portcullis/ai-router';
import { median } from '../figures/quantile.ts';
import { completionOf } from '../plugins/sample-bodies.ts';

const rounds = 15;
const warmUpRounds = 3;
/** Questions of one partition that are compared. */
const keptQuestions = 2000;

const clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() };
const answer = JSON.stringify(completionOf(500));
const never = new AbortController().signal;

/** A provider that answers at once. */
const transport: Transport = {
  open(_request, listener) {
    queueMicrotask(() => {
      listener.onHead(200, ['content-type', 'application/json']);
      listener.onData(Buffer.from(answer));
      listener.onEnd();
    });
    return { resume: () => undefined, abort: () => undefined };
  },
};

const providers = [readProvider({ name: 'p', type: 'openai', api_key: 'k' })];

function routerWith(mode: 'exact' | 'hybrid' | 'off'): Router {
  const settings = readCache({ mode: mode === 'off' ? 'exact' : mode, ttl_seconds: 3600, search_limit: 5 }, 'bench');
  if (settings === undefined) throw new Error('the cache is on');
  const ports = { providers, transport, readSecret: () => 'k', clock, timers: systemTimers };
  const cache = new AnswerCache({
    tenantId: 't1',
    settings,
    store: new AnswerMemory({ clock }).storeOf('t1'),
    embedder: createEmbedder(settings, ports),
    clock,
    timers: systemTimers,
  });
  return createRouter({
    tenantId: 't1',
    providers,
    routes: [readModelRoute('chat', { targets: [{ provider: 'p', model: 'm' }] })],
    policies: [],
    ordering: new TargetOrder(clock),
    limits: createLocalLimits({ clock }),
    transport,
    clock,
    timers: systemTimers,
    ...(mode !== 'off' && { cache }),
  });
}

const system = 'You are the assistant of a shop. Be short, be kind, and never talk of other shops. '.repeat(10);
const bodyOf = (text: string): Uint8Array =>
  Buffer.from(
    JSON.stringify({
      model: 'chat',
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: text },
      ],
    }),
  );

async function ask(router: Router, text: string, wanted: string): Promise<void> {
  const { headers } = await router.handle({ operation: 'chat', body: bodyOf(text), requestId: 'r' }, never);
  const said = headers[headers.indexOf('x-gateway-ai-cache') + 1];
  if (said !== wanted) throw new Error(`the cache says ${said}, not ${wanted}`);
}

const exact = routerWith('exact');
const hybrid = routerWith('hybrid');
const off = routerWith('off');
const topic = (index: number): string =>
  `When does my order number ${index} of ${index * 7} green chairs arrive in town ${index % 97}?`;
await ask(exact, 'What do you sell?', 'miss');
for (let index = 0; index < keptQuestions; index += 1) await ask(hybrid, topic(index), 'miss');

const guard = compileGuard({ action: 'mask', pii: piiTypes, terms: ['project aurora', 'internal only'] });
const judged = JSON.stringify(completionOf(10_240));
let strangers = keptQuestions;

/** What is measured, and how often in a round. */
const contenders: Readonly<Record<string, { readonly run: () => unknown; readonly times: number }>> = {
  without_cache: { run: () => ask(off, 'What do you sell?', 'disabled'), times: 500 },
  exact_hit: { run: () => ask(exact, 'What do you sell?', 'hit'), times: 500 },
  semantic_miss_of_2000: { run: () => ask(hybrid, topic((strangers += 1)), 'miss'), times: 20 },
  guard_10k: {
    run: () => {
      if (guard?.judge(judged).action !== 'pass') throw new Error('the text is harmless');
    },
    times: 50,
  },
};

async function microsecondsOf(name: string): Promise<number> {
  const { run, times = 1 } = contenders[name] ?? { run: () => undefined };
  const before = process.cpuUsage();
  for (let done = 0; done < times; done += 1) {
    const result = run();
    // oxlint-disable-next-line no-await-in-loop -- one after the other is what is measured
    if (result instanceof Promise) await result;
  }
  const { user, system: kernel } = process.cpuUsage(before);
  return (user + kernel) / times;
}

const found = new Map(Object.keys(contenders).map((name) => [name, [] as number[]]));
for (let round = -warmUpRounds; round < rounds; round += 1) {
  const names = Object.keys(contenders);
  for (const name of round % 2 === 0 ? names : names.toReversed()) {
    // oxlint-disable-next-line no-await-in-loop -- by turns
    const us = await microsecondsOf(name);
    if (round >= 0) found.get(name)?.push(us);
  }
}
console.log(JSON.stringify(Object.fromEntries([...found].map(([name, times]) => [name, median(times)]))));
