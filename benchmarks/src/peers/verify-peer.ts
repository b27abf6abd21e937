import { apiKey, clientHeaders, answerBytes, echoPath, headerEdits, loadedPath } from './terms.ts';
import type { Mode } from './terms.ts';

/** What a client and the upstream saw of a peer. */
export interface Sighting {
  readonly status: number;
  readonly body: string;
  /** Headers of the echoed answer, lower case. */
  readonly answerHeaders: Readonly<Record<string, string>>;
  /** Headers that reached the upstream, lower case. */
  readonly upstreamHeaders: Readonly<Record<string, unknown>>;
  readonly statusWithoutKey: number;
  readonly statusWithWrongKey: number;
}

/**
 * Looks whether a peer does what its mode asks, before anything is measured.
 * @throws Error that says everything it does not do
 */
export async function verifyPeer(name: string, mode: Mode, port: number): Promise<void> {
  const mistakes = mistakesOf(mode, await look(mode, `http://127.0.0.1:${port}`));
  if (mistakes.length > 0) throw new Error(`${name} (${mode}) is not measured: ${mistakes.join('; ')}`);
}

async function look(mode: Mode, origin: string): Promise<Sighting> {
  const headers = clientHeaders(mode);
  const loaded = await fetch(origin + loadedPath, { headers });
  const body = await loaded.text();
  const echoed = await fetch(origin + echoPath, { headers });
  const echo = await echoed.text();
  const { [apiKey.header]: _key, ...keyless } = headers;
  const wrong = { ...headers, [apiKey.header]: `${apiKey.value}-wrong` };
  return {
    status: loaded.status,
    body,
    answerHeaders: Object.fromEntries(echoed.headers),
    upstreamHeaders: echoed.status === 200 ? (JSON.parse(echo) as Record<string, unknown>) : {},
    statusWithoutKey: await statusOf(origin, keyless),
    statusWithWrongKey: await statusOf(origin, wrong),
  };
}

async function statusOf(origin: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const answer = await fetch(origin + loadedPath, { headers });
  await answer.arrayBuffer();
  return answer.status;
}

/** What is wrong with a peer that was looked at; empty when it does all that its mode asks. */
export function mistakesOf(mode: Mode, seen: Sighting): readonly string[] {
  const { request, response } = headerEdits;
  const hasPolicies = mode === 'policies';
  const refusal = hasPolicies ? 401 : 200;
  const checks: readonly (readonly [boolean, string])[] = [
    [seen.status === 200, `it answers ${seen.status}: ${seen.body.slice(0, 200)}`],
    [seen.body === 'x'.repeat(answerBytes), `the upstream's ${answerBytes} bytes do not arrive`],
    [Object.keys(seen.upstreamHeaders).length > 0, 'the request does not reach the upstream'],
    [seen.statusWithoutKey === refusal, `without a key it answers ${seen.statusWithoutKey}, not ${refusal}`],
    [seen.statusWithWrongKey === refusal, `with a wrong key it answers ${seen.statusWithWrongKey}, not ${refusal}`],
    ...edits('request', seen.upstreamHeaders, request, hasPolicies),
    ...edits('response', seen.answerHeaders, response, hasPolicies),
  ];
  return checks.filter(([holds]) => !holds).map(([, mistake]) => mistake);
}

function edits(
  side: string,
  headers: Readonly<Record<string, unknown>>,
  { set: [name, value], remove }: { readonly set: readonly [string, string]; readonly remove: string },
  expected: boolean,
): readonly (readonly [boolean, string])[] {
  return [
    [headers[name] === (expected ? value : undefined), `${side} header ${name} is ${String(headers[name])}`],
    [(headers[remove] === undefined) === expected, `${side} header ${remove} is ${expected ? 'still there' : 'gone'}`],
  ];
}
