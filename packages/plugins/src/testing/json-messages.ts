import type { ExchangeState } from '@portcullis/plugin-runtime';
import type { BuiltIn } from '../shared/built-in.ts';
import { PluginBench, type TestAnswer } from './plugin-bench.ts';

/** Header pairs of a JSON message. */
export const JSON_TYPE: readonly string[] = ['content-type', 'application/json'];

/** What came of a message in a plugin. */
export interface Passed {
  /** What goes on: the text that the plugin made, or `as it came`. */
  readonly body: string;
  /** Status of an answer in place of the request, or of the response. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Of a problem answer. */
  readonly code: string | undefined;
}

/** Sends a request through one instance. A request that goes on has status 0. */
export async function requestThrough(
  builtIn: BuiltIn,
  config: unknown,
  body: string | Uint8Array,
  headers: readonly string[] = JSON_TYPE,
): Promise<Passed> {
  const { exchange, result } = await new PluginBench(builtIn, config).request({ headers, body });
  if (result === 'continue') return passed(exchange.request.body, exchange.request.headers.toPairs(), 0);
  return passed(exchange.response.body, exchange.response.headers.toPairs(), exchange.response.status);
}

/** Sends an upstream's answer through one instance. */
export async function responseThrough(
  builtIn: BuiltIn,
  config: unknown,
  body: string | Uint8Array,
  headers: readonly string[] = JSON_TYPE,
  answer: TestAnswer = {},
): Promise<Passed> {
  const exchange: ExchangeState = await new PluginBench(builtIn, config).response([...headers], { body, ...answer });
  return passed(exchange.response.body, exchange.response.headers.toPairs(), exchange.response.status);
}

function passed(bytes: Uint8Array | undefined, pairs: readonly string[], status: number): Passed {
  const headers: Record<string, string> = {};
  for (let at = 0; at < pairs.length; at += 2) headers[(pairs[at] ?? '').toLowerCase()] = pairs[at + 1] ?? '';
  const isCoded = headers['content-encoding'] !== undefined;
  const body = bytes === undefined ? 'as it came' : Buffer.from(bytes).toString(isCoded ? 'base64' : 'utf8');
  const isProblem = headers['content-type'] === 'application/problem+json';
  return { body, status, headers, code: isProblem ? (JSON.parse(body) as { code: string }).code : undefined };
}
