const digitZero = 0x30;
const digitNine = 0x39;
/** Deeper values are left to whoever knows what to say of them. */
const depthMax = 64;

/** Stands for a value that is not plain. */
const notPlain = Symbol('not plain');

/**
 * The RFC 8785 form of a plain value, and nothing for one that is not plain: whoever asks then takes the long way. RFC 8785 spells
 * texts and numbers as `JSON.stringify` does, so what is left to do is to put keys in order, and native code does the rest: some
 * four times faster than spelling it out. Most records are plain. Of objects whose keys are in order already no copy is made.
 *
 * Not plain are objects of classes, numbers that readers do not agree on, keys that look like array indexes (an object enumerates them
 * before all others) or reach the prototype, and texts with characters that are spelled as numbers, lone surrogates and U+0000
 * among them.
 */
export function sortedJson(value: unknown): string | undefined {
  const sorted = inOrder(value, 0);
  if (sorted === notPlain) return undefined;
  const text = JSON.stringify(sorted);
  return text.includes('\\u') ? undefined : text;
}

function inOrder(value: unknown, depth: number): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return isPlainNumber(value) ? value : notPlain;
  if (typeof value !== 'object' || depth > depthMax) return notPlain;
  return Array.isArray(value) ? listInOrder(value, depth) : objectInOrder(value, depth);
}

function isPlainNumber(value: number): boolean {
  return Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));
}

function listInOrder(list: readonly unknown[], depth: number): unknown {
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const item = inOrder(list[index], depth + 1);
    if (item === notPlain) return notPlain;
    if (item === list[index]) continue;
    copy ??= [...list];
    copy[index] = item;
  }
  return copy ?? list;
}

function objectInOrder(object: object, depth: number): unknown {
  const prototype: unknown = Object.getPrototypeOf(object);
  if ((prototype !== null && prototype !== Object.prototype) || 'toJSON' in object) return notPlain;
  const members = object as Readonly<Record<string, unknown>>;
  const keys = Object.keys(members);
  let isSame = true;
  let before = '';
  for (const key of keys) {
    if (!isPlainKey(key)) return notPlain;
    if (key < before) isSame = false;
    before = key;
  }
  if (!isSame) keys.sort();
  let copy: Record<string, unknown> | undefined = isSame ? undefined : {};
  for (const key of keys) {
    const member = inOrder(members[key], depth + 1);
    if (member === notPlain) return notPlain;
    if (copy) copy[key] = member;
    // The members before it are as they were, and keep their place.
    else if (member !== members[key]) copy = { ...members, [key]: member };
  }
  return copy ?? object;
}

function isPlainKey(key: string): boolean {
  const first = key.charCodeAt(0);
  return !(first >= digitZero && first <= digitNine) && key !== '__proto__';
}
