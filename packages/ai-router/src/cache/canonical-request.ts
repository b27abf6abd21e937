import { isJsonObject, type JsonObject } from '../json.ts';
import type { PlacedText } from './last-user-text.ts';

/**
 * Members that say who asks, or what a provider notes down, and nothing of the answer. All others are looked at, those that nobody knows yet
 * too. Source: OpenAI API, chat completions; ai, Caches.
 */
const shapeless: ReadonlySet<string> = new Set([
  'user',
  'safety_identifier',
  'metadata',
  'prompt_cache_key',
  'prompt_cache_retention',
  // Both are looked at before: only `false` comes here.
  'store',
  'stream',
]);

/** Members within which it means nothing in which order names stand. In others, schemas above all, answers follow the order. */
const unordered: ReadonlySet<string> = new Set([
  'messages',
  'input',
  'system',
  'logit_bias',
  'tool_choice',
  'reasoning',
  'thinking',
]);

/** Stands for the text that is told apart; no JSON holds it as it is. */
const HOLE = '\u0000';

/**
 * A request as one text: the same for requests that ask for the same, whatever order the names of their members stand in.
 * @param hole a text in whose place a mark stands, so that requests which differ in it alone have the same text
 * @returns `undefined` for a request with a number that other readers of JSON may read as another one
 */
export function canonicalRequest(body: JsonObject, hole: PlacedText | undefined): string | undefined {
  const parts: string[] = [];
  for (const name of Object.keys(body).toSorted()) {
    if (shapeless.has(name)) continue;
    const isHole = hole !== undefined && hole.holder === body && hole.field === name;
    const text = isHole ? HOLE : canonical(body[name], unordered.has(name), hole);
    if (text === undefined) return undefined;
    parts.push(`${JSON.stringify(name)}:${text}`);
  }
  return parts.join(',');
}

function canonical(value: unknown, isSorted: boolean, hole: PlacedText | undefined): string | undefined {
  if (typeof value === 'number') return isExact(value) ? String(value) : undefined;
  if (Array.isArray(value)) return listed(value, isSorted, hole);
  if (!isJsonObject(value)) return JSON.stringify(value);
  const names = Object.keys(value);
  if (isSorted) names.sort();
  let text = '{';
  for (const name of names) {
    const isHole = hole !== undefined && hole.holder === value && hole.field === name;
    const inner = isHole ? HOLE : canonical(value[name], isSorted, hole);
    if (inner === undefined) return undefined;
    text += `${JSON.stringify(name)}:${inner},`;
  }
  return `${text}}`;
}

function listed(list: readonly unknown[], isSorted: boolean, hole: PlacedText | undefined): string | undefined {
  let text = '[';
  for (const item of list) {
    const inner = canonical(item, isSorted, hole);
    if (inner === undefined) return undefined;
    text += `${inner},`;
  }
  return `${text}]`;
}

/** Above 2^53 two numbers of a text may be one here and two at a provider. */
function isExact(value: number): boolean {
  return Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
}
