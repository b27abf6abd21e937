import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { helpText } from './help.ts';
import { readSettings } from './settings.ts';

/** What is said of a setting: its default. */
type Table = Readonly<Record<string, string>>;

/** The names that are read, with nothing set. */
function namesRead(): readonly string[] {
  const names = new Set<string>();
  readSettings(new Proxy<Record<string, string>>({}, { get: (_, name) => void names.add(String(name)) }));
  return [...names].toSorted();
}

/** Lines `  NAME   meaning (default)`. */
function helpTable(): Table {
  const lines = helpText.matchAll(/^ {2}((?:PORTCULLIS|OTEL)_\w+) .*\((?<fallback>[^()]*)\)$/gm);
  return Object.fromEntries([...lines].map(([, name = '', fallback = '']) => [name, fallback]));
}

/** Rows `| \`NAME\` | default | meaning |`. */
async function readmeTable(): Promise<Table> {
  const text = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const rows = text.matchAll(/^\| `((?:PORTCULLIS|OTEL)_\w+)` *\| ([^|]*?) *\|/gm);
  return Object.fromEntries([...rows].map(([, name = '', fallback = '']) => [name, fallback.replaceAll('`', '')]));
}

it('every setting that is read is in --help and in the README, with the same default', async () => {
  const help = helpTable();
  expect(Object.keys(help).toSorted()).toEqual(namesRead());
  expect(await readmeTable()).toEqual(help);
});

it.each([
  ['acme', 'must read tenant:NAME,NAME;tenant:NAME'],
  ['acme:A;acme:B', 'has acme twice'],
  ['acme:PORTCULLIS_DATA_PLANE_TOKEN', "lists a variable PORTCULLIS_… for acme: those are the gateway's own"],
])('variables of vaults are listed by tenant, not as %s', (list, mistake) => {
  const outcome = readSettings({ PORTCULLIS_ENV_ALLOW: list });
  expect(outcome.ok ? [] : outcome.mistakes).toContain(`PORTCULLIS_ENV_ALLOW ${mistake}.`);
});

it.each(['mysql://user:hidden@host/db', 'postgres://user:hidden@host/db?sslmode=prefer', 'mongodb://user:hidden@/db'])(
  'an address of a database that is none is a mistake, and not repeated: %s',
  (url) => {
    const outcome = readSettings({ PORTCULLIS_AI_CACHE_URL: url });
    const mistakes = outcome.ok ? '' : outcome.mistakes.join(' ');
    expect(mistakes).toContain('PORTCULLIS_AI_CACHE_URL must');
    expect(mistakes).not.toContain('hidden');
  },
);
