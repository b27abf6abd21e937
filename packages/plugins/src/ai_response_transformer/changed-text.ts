import { replacementsOf, type Config } from './config.ts';

/** Characters of a text after replacements: few letters for one, several times over, would be any number. */
export const CHANGED_LENGTH_MAX = 4_194_304;

/** Changes a text; `undefined` for one that becomes too long. */
export type ChangeText = (text: string) => string | undefined;

/** Compiles the changes of a config: the replacements in their order, each wherever its text stands, then what stands around. */
export function changedText(given: Config): ChangeText {
  const { prefix = '', suffix = '' } = given;
  const replacements = replacementsOf(given);
  return (text) => {
    let current = text;
    for (const [from, to] of replacements) {
      if (!current.includes(from)) continue;
      const parts = current.split(from);
      const length = current.length + (parts.length - 1) * (to.length - from.length);
      if (length > CHANGED_LENGTH_MAX) return undefined;
      current = parts.join(to);
    }
    return `${prefix}${current}${suffix}`;
  };
}
