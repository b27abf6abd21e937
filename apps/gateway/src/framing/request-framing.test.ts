import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { everythingTo, startTestGateway } from '../testing/test-gateway.test-support.ts';
import { startRecordingUpstream, type RecordedRequest } from './recording-upstream.test-support.ts';
import { requestVariants, type RequestVariant } from './request-variants.test-support.ts';

/** Connections at a time. */
const workers = 24;
/** After so long without a byte a request that need not be answered is taken for one that never ends, and its client leaves. */
const quietMs = 1000;
const patienceMs = 30_000;

interface Answer {
  readonly text: string;
  /** Whether the client did not wait for the end. */
  readonly hasLeft: boolean;
}

/** Sends bytes on a connection of their own, and gives what came back. */
function exchange(port: number, text: string, quietAfterMs: number): Promise<Answer> {
  return new Promise((resolve) => {
    let answer = '';
    let hasLeft = false;
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
    socket.setTimeout(quietAfterMs, () => {
      hasLeft = true;
      socket.destroy();
    });
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('error', () => undefined); // A reset is an answer too.
    socket.on('close', () => resolve({ text: answer, hasLeft }));
  });
}

/** What is wrong with what became of a variant. */
function findingOf(
  { views }: RequestVariant,
  index: number,
  { text: answer, hasLeft }: Answer,
  requests: readonly RecordedRequest[],
): string | undefined {
  const [own, behind] = [
    requests.filter(({ target }) => target === `/v${index}`),
    requests.filter(({ target }) => target === `/p${index}`),
  ];
  const [first, last] = [own[0], behind[0]];
  const view = [first, last].flatMap((one) => (one === undefined ? [] : [one.body]));
  const statuses = answer.match(/HTTP\/1\.1 \d{3}/g)?.map((line) => line.slice(-3)) ?? [];
  const saw = JSON.stringify({ view, statuses });
  if (own.length > 1 || behind.length > 1) return `came more than once: ${saw}`;
  if (last !== undefined && (first === undefined || requests.indexOf(last) < requests.indexOf(first)))
    return `came out of order: ${saw}`;
  const isAllowed = views.some(
    (one) => (hasLeft || one.length === view.length) && view.every((text, at) => text === one[at]),
  );
  if (!isAllowed) return saw;
  const [good, other] = [statuses.filter((status) => status === '200'), statuses.filter((status) => status !== '200')];
  // What is no request resets a connection whose answer is still owed, so that answer may be missing.
  const isAnswered = hasLeft || view.length === 1 ? good.length <= view.length : good.length === view.length;
  if (!isAnswered || other.length > 1 || (other.length === 1 && statuses.at(-1) !== other[0])) {
    return `was answered otherwise: ${saw}`;
  }
  return other.every((status) => /^[45]/.test(status)) ? undefined : `was answered so: ${saw}`;
}

it(
  'of thousands of requests each means the same to the gateway and to an upstream that takes nothing but the strictest form',
  { timeout: 180_000 },
  async () => {
    await using upstream = await startRecordingUpstream();
    await using gateway = await startTestGateway(everythingTo(upstream.url));
    const variants = requestVariants();
    const answers: Answer[] = [];
    const indexes = variants.keys();
    const work = async (): Promise<void> => {
      for (const index of indexes) {
        const { text, views } = variants[index] as RequestVariant;
        const behind = `GET /p${index} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
        const mustBeTaken = views.every((view) => view.length > 0);
        answers[index] = await exchange(
          gateway.port,
          text.replace('/v', `/v${index}`) + behind,
          mustBeTaken ? patienceMs : quietMs,
        );
      }
    };
    await Promise.all(Array.from({ length: workers }, work));
    const byIndex = Map.groupBy(upstream.requests, ({ target }) => Number(/^\/[vp](\d+)$/.exec(target)?.[1] ?? -1));
    const findings = variants.flatMap((variant, index) => {
      const finding = findingOf(
        variant,
        index,
        answers[index] ?? { text: '', hasLeft: true },
        byIndex.get(index) ?? [],
      );
      return finding === undefined ? [] : [`${variant.name}: ${finding}, not ${JSON.stringify(variant.views)}`];
    });
    expect(findings).toEqual([]);
    expect(byIndex.get(-1)).toBeUndefined();
    expect(upstream.malformed).toEqual([]);
    // The table is no table of refusals: what must be taken is.
    expect(variants.length).toBeGreaterThan(2_000);
    expect(variants.filter(({ views }) => views.every((view) => view.length > 0)).length).toBeGreaterThan(100);
  },
);
