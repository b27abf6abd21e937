import type { TextGuard } from '../guards/text-guard.ts';
import type { TextPlace } from './answer-texts.ts';

/** What became of texts. */
export type TextsVerdict = 'pass' | 'blocked' | 'masked';

/**
 * Judges texts by guards, in their order. Pieces of one text are judged together. Where a text is masked, its first piece gets all of it
 * and the others none, in place.
 */
export function judgeTexts(guards: readonly TextGuard[], places: readonly TextPlace[]): TextsVerdict {
  const texts = new Map<string, { readonly places: TextPlace[]; text: string }>();
  for (const place of places) {
    const known = texts.get(place.key);
    if (known === undefined) texts.set(place.key, { places: [place], text: place.text });
    else {
      known.places.push(place);
      known.text += place.text;
    }
  }
  let isMasked = false;
  for (const whole of texts.values()) {
    const text = judged(guards, whole.text);
    if (text === undefined) return 'blocked';
    if (text === whole.text) continue;
    isMasked = true;
    for (const [index, { holder, field }] of whole.places.entries()) holder[field] = index === 0 ? text : '';
  }
  return isMasked ? 'masked' : 'pass';
}

/** What is left of a text; `undefined` when a guard blocks it. */
function judged(guards: readonly TextGuard[], given: string): string | undefined {
  let text = given;
  for (const guard of guards) {
    const verdict = guard.judge(text);
    if (verdict.action === 'block') return undefined;
    if (verdict.action === 'mask') ({ text } = verdict);
  }
  return text;
}
