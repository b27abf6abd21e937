import type { JsonObject } from '@portcullis/ai-router';

/** What a text of JSON looks like before anybody reads it. */
export interface JsonShape {
  /** Members of all its objects together, each counted as often as it stands there. */
  readonly members: number;
  /** Levels of lists and objects. */
  readonly depth: number;
  /** Values, at least: lists and objects, and what commas part. */
  readonly values: number;
  /** Lists and objects: those take the most memory, for two characters each. */
  readonly containers: number;
}

/** Levels that are read. Source: security, JSON. */
export const LEVELS_MAX = 64;

/** Values that are read: each takes memory of its own, whatever few bytes it is. */
export const VALUES_MAX = 1_000_000;

/**
 * Lists and objects of a request, which a client makes up as it likes: one that decodes to a megabyte of them has few bytes, and they take some
 * tens of megabytes. Answers have more, where a model weighs each token.
 */
export const REQUEST_CONTAINERS_MAX = 100_000;

/** Whether a text may be read. */
export function isBounded({ depth, values }: Pick<JsonShape, 'depth' | 'values'>): boolean {
  return depth <= LEVELS_MAX && values <= VALUES_MAX;
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BACKSLASH = 92;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/** Counts without reading: strings are jumped over. Of a text that is no JSON the counts mean nothing. */
export function jsonShape(text: string): JsonShape {
  let members = 0;
  let commas = 0;
  let containers = 0;
  let level = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit === COLON) members += 1;
    else if (unit === COMMA) commas += 1;
    else if (unit === CLOSE_OBJECT || unit === CLOSE_LIST) level -= 1;
    else if (unit === OPEN_OBJECT || unit === OPEN_LIST) {
      containers += 1;
      level += 1;
      if (level > depth) depth = level;
    }
  }
  return { members, depth, values: commas + containers, containers };
}

/** Members of all objects of a value together. @param value of JSON, and not deeper than what a stack holds */
export function memberCount(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + memberCount(one), 0);
  let count = 0;
  // Quicker than lists of names or values; parsed objects inherit no names.
  for (const name in value) {
    count += 1;
    const inner = (value as JsonObject)[name];
    if (typeof inner === 'object') count += memberCount(inner);
  }
  return count;
}

/** @returns where the closing quote is, or the end */
function endOfString(text: string, open: number): number {
  let at = text.indexOf('"', open + 1);
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf('"', at + 1);
  return at === -1 ? text.length : at;
}

/** An odd number of backslashes is before it. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === BACKSLASH) before -= 1;
  return (at - before) % 2 === 0;
}
