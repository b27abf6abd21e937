/**
 * How long each plugin takes to refuse guesses, in one process: guesses that are right but for their last characters and guesses that
 * are wrong from the first one on, in random order. Prints Welch's t by plugin.
 */
import { randomBytes } from 'node:crypto';
import { definePlugin, type Plugin } from '@portcullis/plugin-runtime';
import { builtInPlugins } from '@portcullis/plugins';
import { caseRun } from '../plugins/case-run.ts';
import { apiKey, gatewayDirectory } from '../plugins/gateway-directory.ts';
import type { PluginCase } from '../plugins/plugin-case.ts';
import { welchT, withoutSlowest } from './welch.ts';

const guesses = Number(process.argv[2]);
/** What is left out of both kinds together as somebody else's time. */
const slowestShare = 0.1;
/** Different guesses of each kind, asked again and again. */
const differentGuesses = 1000;
const warmUp = 20_000;

const secret = (): string => randomBytes(24).toString('base64url');
/** Flat text that shares no memory with another. */
const flat = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** The secrets that are there, and a guess as a header. */
interface Guessed {
  readonly label: string;
  readonly plugin: Plugin;
  readonly parts: Omit<PluginCase, 'plugin' | 'headers'>;
  readonly known: readonly string[];
  readonly headers: (guess: string) => readonly string[];
}

const known = Array.from({ length: 1000 }, secret);
const guessed: readonly Guessed[] = [
  {
    label: 'api_key_auth, its own keys',
    plugin: builtIn('api_key_auth'),
    parts: { config: { valid_keys: known } },
    known,
    headers: (guess) => ['x-api-key', guess],
  },
  {
    label: "api_key_auth, consumers' keys",
    plugin: builtIn('api_key_auth'),
    parts: { config: { valid_keys: [] }, consumers: await gatewayDirectory(known.map(apiKey)) },
    known,
    headers: (guess) => ['x-api-key', guess],
  },
  {
    label: 'oauth2, its own tokens',
    plugin: builtIn('oauth2'),
    parts: { config: { valid_tokens: known } },
    known,
    headers: (guess) => ['authorization', `Bearer ${guess}`],
  },
  {
    label: 'session_cookie_auth',
    plugin: builtIn('session_cookie_auth'),
    parts: { config: { valid_session_ids: known } },
    known,
    headers: (guess) => ['cookie', `session=${guess}`],
  },
  {
    label: '(a plugin that leaks)',
    plugin: leakyPlugin(known[0] ?? ''),
    parts: { config: {} },
    known: known.slice(0, 1),
    headers: (guess) => ['x-api-key', guess],
  },
];

function builtIn(name: string): Plugin {
  const plugin = builtInPlugins.find((one) => one.name === name);
  if (plugin === undefined) throw new Error(`there is no ${name}`);
  return plugin;
}

/** Compares one character after the other and stops at the first that is wrong: shows that what is measured here would be seen. */
function leakyPlugin(right: string): Plugin {
  return definePlugin({
    name: 'leaky',
    version: '1.0.0',
    category: 'authentication',
    triggers: ['before_request'],
    config: { '~standard': { version: 1, vendor: 'none', validate: (value) => ({ value }) } },
    setup: () => ({
      request({ request }) {
        const guess = request.headers.get('x-api-key') ?? '';
        let same = 0;
        while (same < right.length && guess.charCodeAt(same) === right.charCodeAt(same)) same += 1;
        return same === right.length ? undefined : { status: 401 };
      },
    }),
  });
}

function timesOf({ label, plugin, parts, headers, known: secrets }: Guessed): number {
  const run = caseRun({ ...parts, plugin, headers: [] });
  // No secret holds the last character: none is guessed by chance.
  const kinds = [
    (right: string) => `${right.slice(0, -2)}${secret().slice(0, 1)}~`,
    (right: string) => `${secret().slice(0, right.length - 1)}~`,
  ] as const;
  const requests = Array.from({ length: differentGuesses }, (_none, at) =>
    kinds.map((guess) => headers(flat(guess(secrets[at % secrets.length] ?? '')))),
  );
  const times: readonly [number[], number[]] = [[], []];
  for (let done = -warmUp; done < guesses; done += 1) {
    const kind = Math.random() < 0.5 ? 0 : 1;
    const request = requests[Math.floor(Math.random() * differentGuesses)]?.[kind];
    const before = process.hrtime.bigint();
    const result = run(request);
    const nanoseconds = Number(process.hrtime.bigint() - before);
    if (result !== 'respond') throw new Error(`${label} lets a guess pass`);
    if (done >= 0) times[kind].push(nanoseconds);
  }
  return welchT(...withoutSlowest(...times, slowestShare));
}

console.log(JSON.stringify(Object.fromEntries(guessed.map((one) => [one.label, timesOf(one)]))));
