import { FunctionExpressionType, JSONPathEnvironment, jsonpath, type FilterFunction } from 'json-p3';
import { RE2JS } from 're2js';
import { patternMistakes } from '../safe-patterns.ts';

/** What one path's filters run in. */
export interface FilterEnvironment {
  readonly paths: JSONPathEnvironment;
  /** The expressions of `match` and `search`, compiled. */
  readonly patterns: Map<string, RE2JS>;
}

/** The library's own `match` and `search` run the platform's expressions, in which one of a tenant's can take hours. */
export function filterEnvironment(): FilterEnvironment {
  const patterns = new Map<string, RE2JS>();
  const paths = new JSONPathEnvironment();
  paths.functionRegister.set(
    'match',
    patternFunction(patterns, (pattern, text) => pattern.matches(text)),
  );
  paths.functionRegister.set(
    'search',
    patternFunction(patterns, (pattern, text) => pattern.matcher(text).find()),
  );
  return { paths, patterns };
}

function patternFunction(
  patterns: ReadonlyMap<string, RE2JS>,
  finds: (pattern: RE2JS, text: string) => boolean,
): FilterFunction {
  const { LogicalType, ValueType } = FunctionExpressionType;
  return {
    argTypes: [ValueType, ValueType],
    returnType: LogicalType,
    call: (text, pattern) => {
      const compiled = typeof pattern === 'string' ? patterns.get(pattern) : undefined;
      return compiled !== undefined && typeof text === 'string' && finds(compiled, text);
    },
  };
}

const {
  FunctionExtension,
  InfixExpression,
  LogicalExpression,
  PrefixExpression,
  RelativeQuery,
  RootQuery,
  StringLiteral,
} = jsonpath.expressions;

/**
 * What keeps a filter from being used, in words. One that looks through all of a text for each of its values is refused: its time would grow
 * with the square of the body. Compiles the expressions of `match` and `search`.
 */
export function filterMistake(
  expression: jsonpath.expressions.FilterExpression,
  environment: FilterEnvironment,
): string | undefined {
  const inner = (one: jsonpath.expressions.FilterExpression) => filterMistake(one, environment);
  if (expression instanceof LogicalExpression) return inner(expression.expression);
  if (expression instanceof PrefixExpression) return inner(expression.right);
  if (expression instanceof InfixExpression) return inner(expression.left) ?? inner(expression.right);
  if (expression instanceof RootQuery && !expression.path.singularQuery()) {
    return 'has a filter that looks through the whole text for each value: $ in a filter has to name one place';
  }
  if (expression instanceof RelativeQuery && expression.path.segments.some(isFarReaching)) {
    return 'has a filter within a filter, or one that looks at every depth (..)';
  }
  if (!(expression instanceof FunctionExtension)) return undefined;
  const { name, args } = expression;
  const mistake = name === 'match' || name === 'search' ? patternMistake(args[1], environment) : undefined;
  return mistake ?? args.map(inner).find((one) => one !== undefined);
}

function isFarReaching(segment: jsonpath.JSONPathSegment): boolean {
  // The class is not among what the library exports; its text begins with two dots.
  return (
    segment.toString().startsWith('..') ||
    segment.selectors.some((selector) => selector instanceof jsonpath.selectors.FilterSelector)
  );
}

function patternMistake(
  pattern: jsonpath.expressions.FilterExpression | undefined,
  { patterns }: FilterEnvironment,
): string | undefined {
  if (!(pattern instanceof StringLiteral)) return 'has an expression of match or search that is no text';
  const [mistake] = patternMistakes([pattern.value]);
  if (mistake !== undefined) return `has an expression of match or search that ${mistake.message}`;
  patterns.set(pattern.value, RE2JS.compile(pattern.value));
  return undefined;
}
