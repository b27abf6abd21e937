import { isJsonObject } from '@portcullis/ai-router';
import * as v from 'valibot';
import { text } from '../config-fields.ts';

const PATH_LENGTH_MAX = 256;

/** Finds what a path names in a JSON value; `undefined` for nothing. */
export type DotPath = (value: unknown) => unknown;

/** A path such as `data.results`, or `choices.0.message.content`. Read it with {@link dotPath}. */
export function dotPathField(description: string) {
  return v.pipe(
    text(description, PATH_LENGTH_MAX),
    v.regex(/^\$?(?:\.?(?:[^.\s[\]$]+|\[\d{1,6}\]))*$/, 'must be names with dots between, such as data.results'),
  );
}

/**
 * Compiles a path. `$` alone is the value itself, and may stand before a path; places in lists are numbers, `items.0` or `items[0]`. Only
 * own members are found. A text on the way that is JSON is read as such: models answer with JSON in a text.
 */
export function dotPath(path: string): DotPath {
  const steps = path
    .replace(/^\$\.?/, '')
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
    .filter((step) => step !== '');
  return (value) => {
    let current = value;
    for (const step of steps) {
      current = memberOf(typeof current === 'string' ? jsonIn(current) : current, step);
      if (current === undefined) return undefined;
    }
    return current;
  };
}

function memberOf(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(step) ? (value as readonly unknown[])[Number(step)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/** The JSON that a text is, also in a fence of Markdown; `undefined` for none. */
export function jsonIn(text: string): unknown {
  const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/i.exec(text)?.[1];
  try {
    return JSON.parse(fenced ?? text);
  } catch {
    return undefined;
  }
}
