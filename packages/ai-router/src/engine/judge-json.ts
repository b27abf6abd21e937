import type { TextGuard } from '../guards/text-guard.ts';
import type { JsonObject } from '../json.ts';
import { judgedText, judgeTexts } from './judge-texts.ts';
import { TextSearch } from './text-places.ts';

/**
 * Judges a text that is JSON, such as the arguments of a tool, both as it stands and by what its strings say: `\u0062omb` is `bomb` to whoever
 * parses it.
 * @returns what is left of it; `undefined` when a guard blocks it
 */
export function judgeJson(guards: readonly TextGuard[], json: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json) as unknown;
  } catch {
    return judgedText(guards, json);
  }
  const holder: JsonObject = { value };
  const search = new TextSearch();
  search.visit(holder, 'value', true);
  const verdict = judgeTexts(guards, search.places);
  if (verdict === 'blocked' || verdict === 'too_long') return undefined;
  return judgedText(guards, verdict === 'masked' ? JSON.stringify(holder['value']) : json);
}
