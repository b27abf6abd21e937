/** Longest template, in characters, and most variables in it. */
export const TEMPLATE_LENGTH_MAX = 65_536;
export const VARIABLES_MAX = 500;

/** Most steps of a variable's path. */
export const STEPS_MAX = 32;

/** A piece of a template: text as it is written, or a path to a value. */
export type TemplatePart =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'variable'; readonly steps: readonly string[]; readonly written: string };

const OPEN = '{{';
const QUOTED = /\s*("(?:[^"\\]|\\.)*")\s*\}\}/y;
const PATH = /\s*([^{}\s"']+(?:\[(?:"[^"\\{}]*"|'[^'\\{}]*')\][^{}\s"']*)*)\s*\}\}/y;
const STEP = /^([A-Za-z_][\w-]*)|\.([^.[\]{}\s"']+)|\[(\d{1,9})\]|\["([^"\\{}]*)"\]|\['([^'\\{}]*)'\]/y;

/**
 * Takes a template apart. `{{body.items[0].name}}` and `{{headers["x.y"]}}` are paths; `{{"{{"}}` is the text between the quotes, for
 * braces that stand for themselves. There is nothing else: no expressions, no loops, no calls.
 * @returns the parts, or the rule that it breaks
 */
export function parseTemplate(template: string): readonly TemplatePart[] | string {
  const parts: TemplatePart[] = [];
  let at = 0;
  let variables = 0;
  for (let open = template.indexOf(OPEN); open >= 0; open = template.indexOf(OPEN, at)) {
    if (open > at) parts.push({ kind: 'literal', text: template.slice(at, open) });
    QUOTED.lastIndex = PATH.lastIndex = open + OPEN.length;
    const quoted = QUOTED.exec(template);
    if (quoted !== null) {
      const text = quotedText(quoted[1] ?? '');
      if (text === undefined) return `has a text that is no JSON at character ${open + 1}`;
      parts.push({ kind: 'literal', text });
      at = QUOTED.lastIndex;
      continue;
    }
    const written = PATH.exec(template)?.[1];
    const steps = written === undefined ? undefined : stepsOf(written);
    if (written === undefined || steps === undefined) return `has no variable path at character ${open + 1}`;
    if (steps.length > STEPS_MAX) return `has a path of more than ${STEPS_MAX} steps`;
    variables += 1;
    if (variables > VARIABLES_MAX) return `must have at most ${VARIABLES_MAX} variables`;
    parts.push({ kind: 'variable', steps, written });
    at = PATH.lastIndex;
  }
  if (at < template.length) parts.push({ kind: 'literal', text: template.slice(at) });
  return parts;
}

function quotedText(json: string): string | undefined {
  try {
    return String(JSON.parse(json));
  } catch {
    return undefined;
  }
}

function stepsOf(path: string): readonly string[] | undefined {
  const steps: string[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < path.length) {
    const found = STEP.exec(path);
    if (found === null) return undefined;
    steps.push(found[1] ?? found[2] ?? found[3] ?? found[4] ?? found[5] ?? '');
  }
  return steps;
}
