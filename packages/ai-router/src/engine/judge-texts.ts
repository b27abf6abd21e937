import type { TextGuard } from '../guards/text-guard.ts';
import { judgeJson } from './judge-json.ts';
import { JUDGED_TEXTS_MAX, type TextPlace } from './text-places.ts';

/** What became of texts. */
export type TextsVerdict = 'pass' | 'blocked' | 'masked' | 'too_long';

/**
 * Characters of all texts of one request or answer that are judged: a guard takes up to half a microsecond for a character and
 * pattern, and nothing else happens meanwhile.
 */
export const JUDGED_LENGTH_MAX: number = 512 * 1024;

/**
 * Judges texts by guards, in their order. Pieces of one text are judged together; parts that mean something alone are judged alone, too.
 * Where a text is masked, its first piece gets all of it and the others none, in place.
 */
export function judgeTexts(guards: readonly TextGuard[], places: readonly TextPlace[]): TextsVerdict {
  const length = places.reduce((sum, { text }) => sum + text.length, 0);
  if (length > JUDGED_LENGTH_MAX) return 'too_long';
  const groups = new Map<string, TextPlace[]>();
  for (const place of places) {
    const known = groups.get(place.key);
    if (known === undefined) groups.set(place.key, [place]);
    else known.push(place);
  }
  if (groups.size > JUDGED_TEXTS_MAX) return 'too_long';
  let isMasked = false;
  for (const group of groups.values()) {
    const verdict = judgeGroup(guards, group);
    if (verdict === 'blocked' || verdict === 'too_long') return verdict;
    isMasked ||= verdict === 'masked';
  }
  return isMasked ? 'masked' : 'pass';
}

/** What is left of a text; `undefined` when a guard blocks it. */
export function judgedText(guards: readonly TextGuard[], given: string): string | undefined {
  let text = given;
  for (const guard of guards) {
    const verdict = guard.judge(text);
    if (verdict.action === 'block') return undefined;
    if (verdict.action === 'mask') ({ text } = verdict);
  }
  return text;
}

function judgeGroup(guards: readonly TextGuard[], group: readonly TextPlace[]): TextsVerdict {
  const texts: string[] = [];
  let isMasked = false;
  for (const { text, part, isFixed, holder, field } of group) {
    const isAlone = part !== undefined && group.length > 1;
    const judged = isAlone ? judgedText(guards, text) : text;
    if (judged === undefined) return 'blocked';
    if (judged !== text && isFixed !== true) {
      isMasked = true;
      holder[field] = judged;
    }
    texts.push(judged);
  }
  const [first] = group;
  if (first === undefined) return 'pass';
  const joined = texts.join('');
  const whole = first.isJson === true ? judgeJson(guards, joined) : judgedText(guards, joined);
  if (whole === undefined) return 'blocked';
  if (whole === joined) return isMasked ? 'masked' : 'pass';
  if (first.isFixed === true) return 'blocked';
  for (const [index, { holder, field, part }] of group.entries()) {
    if (index === 0) holder[field] = whole;
    else if (part === undefined) holder[field] = '';
    else part.list.splice(part.list.indexOf(part.item), 1);
  }
  return 'masked';
}
