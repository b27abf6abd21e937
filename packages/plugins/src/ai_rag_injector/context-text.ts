import { dotPath } from '../shared/chat/dot-path.ts';
import type { Config } from './config.ts';

/** Makes a context of what a retrieval service answered: `undefined` for an answer without a list, empty where it found nothing. */
export type ContextOf = (answer: unknown) => string | undefined;

/** Compiles how results become a context: the best come first, and as many as fit. */
export function contextText(given: Config): ContextOf {
  const { top_k: resultsMax, separator, max_context_chars: charactersMax } = given;
  const resultsIn = dotPath(given.results_path);
  const contentIn = dotPath(given.content_field);
  return (answer) => {
    const found = resultsIn(answer);
    if (!Array.isArray(found)) return undefined;
    const results: readonly unknown[] = found;
    let context = '';
    for (const result of results.slice(0, resultsMax)) {
      const content = typeof result === 'string' ? result : contentIn(result);
      if (typeof content !== 'string' || content.trim() === '') continue;
      const longer = context === '' ? content : `${context}${separator}${content}`;
      if (longer.length <= charactersMax) context = longer;
      else if (context === '') return cut(content, charactersMax);
    }
    return context;
  };
}

/** The beginning of a text, without half a character at its end. */
function cut(text: string, lengthMax: number): string {
  return text.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, '');
}
