import { RE2JS } from 're2js';
import { expressionCost } from './expression-cost.ts';
import { normalisePath } from './normalise-path.ts';
import { hasAtMost } from './text-length.ts';

/** How a path of a route matches. */
export const routePathTypes = ['prefix', 'exact', 'regex'] as const;

/** See {@link routePathTypes}. */
export type RoutePathType = (typeof routePathTypes)[number];

/** What gateways match requests with, or the rule that the path breaks. */
export type RoutePathReading =
  | {
      readonly ok: true;
      readonly type: RoutePathType;
      /** Normalised path; for `regex` the expression without a leading `~`. */
      readonly value: string;
    }
  | { readonly ok: false; readonly message: string };

/** Characters of a route's regular expression. */
const expressionLengthMax = 1000;
/** Instructions of one, and of all of a route together: some milliseconds, and some tens of them, to compile. */
const expressionCostMax = 4_000;
/** See {@link expressionCostOf}. */
export const routeExpressionCostMax = 30_000;

/**
 * Reads one path of a route. Control plane and gateways use it both, so that what is stored can also be served.
 * @param path as configured; a leading `~` makes it a regular expression whatever `type` says
 */
export function readRoutePath(path: string, type: RoutePathType): RoutePathReading {
  if (path.startsWith('~') || type === 'regex') return readExpression(path.startsWith('~') ? path.slice(1) : path);
  const value = normaliseConfiguredPath(path);
  return typeof value === 'string' ? { ok: true, type, value } : { ok: false, message: value.message };
}

/**
 * Compiles a route's expression with an engine whose time is linear in the path.
 * @throws RE2JSSyntaxException for an expression that the engine does not take (look-around, back references)
 */
export function compileRouteExpression(expression: string): RE2JS {
  return RE2JS.compile(expression);
}

/** What compiling a path of a route costs, as {@link routeExpressionCostMax} counts; nothing when it is no regular expression. */
export function expressionCostOf(path: string, type: RoutePathType): number {
  if (!path.startsWith('~') && type !== 'regex') return 0;
  return hasAtMost(path, expressionLengthMax + 1) ? expressionCost(path) : 0;
}

/** `normalisePath` for a path out of the configuration, which is Unicode text. */
function normaliseConfiguredPath(path: string): ReturnType<typeof normalisePath> {
  const bytes = new TextEncoder().encode(path);
  return normalisePath(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

function readExpression(expression: string): RoutePathReading {
  if (!hasAtMost(expression, expressionLengthMax)) {
    return { ok: false, message: `must be at most ${expressionLengthMax} characters as a regular expression` };
  }
  // Asked before compiling, which is what takes the time.
  if (expressionCost(expression) > expressionCostMax) return { ok: false, message: 'repeats too much' };
  try {
    compileRouteExpression(expression);
  } catch {
    return { ok: false, message: 'is not a regular expression that the engine takes (RE2 syntax)' };
  }
  const message = neverMatchingLiteral(expression);
  return message === undefined ? { ok: true, type: 'regex', value: expression } : { ok: false, message };
}

/**
 * Expressions are matched with normalised paths. A literal that those cannot have is a mistake, and is not rewritten: what
 * is configured should be what is matched. Character classes may list anything.
 */
function neverMatchingLiteral(expression: string): string | undefined {
  const outsideClasses = expression.replaceAll(/\\.|\[\^?\]?(?:\\.|[^\]\\])*\]/gs, (part) =>
    part.startsWith('[') ? ' ' : part,
  );
  if (/\P{ASCII}/u.test(outsideClasses)) return 'must spell characters outside ASCII as escapes, as in %C3%A9';
  for (const [escape] of outsideClasses.matchAll(/%[0-9A-Fa-f]{2}/g)) {
    const normalised = normalisePath(`/${escape}`);
    if (typeof normalised !== 'string') return `has the escape ${escape}, which no path may have`;
    if (normalised !== `/${escape}`)
      return `must spell ${escape} in its normalised form, ${normalised.slice(1) || '\\.'}`;
  }
  return undefined;
}
