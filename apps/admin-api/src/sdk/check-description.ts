import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { type Description, descriptionLimits, parseDescription, readDescription } from '@portcullis/openapi';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { FieldProblem } from '../http/problem.ts';
import { textProblems } from '../http/text-problems.ts';

/** Characters of a title or version that records repeat: lists show them. */
const shownLengthMax = 256;
/** Mistakes by the specification's own schema that are told. */
const schemaProblemsMax = 20;

/** A description that may be kept, and what is known of it. */
export interface CheckedDescription {
  /** JSON, gzip, base64. */
  readonly packed: string;
  /** The read-only field of service versions. */
  readonly document: {
    readonly openapi: Description['version'];
    readonly title: string;
    readonly api_version: string;
    readonly operations: number;
    readonly size_bytes: number;
    readonly sha256: string;
  };
}

/** The text of a description to be checked: JSON or YAML. */
export interface CheckTask {
  readonly kind: 'check';
  readonly text: string;
}

/** A description, or what is wrong with it; pointers are into it. */
export type DescriptionCheck =
  | { readonly ok: true; readonly description: CheckedDescription }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/**
 * Checks the text of a description: bounds and references first, so that the specification's schema only ever sees documents of known depth
 * and size. May take seconds: only for threads that somebody ends. Nothing is fetched.
 */
export async function checkDescription({ text }: CheckTask): Promise<DescriptionCheck> {
  const parsed = parseDescription(text);
  if (!parsed.ok) {
    const { line, column, message } = parsed.error;
    const problem = { pointer: '', code: 'malformed', message: `${message} (line ${line}, column ${column})` };
    return { ok: false, problems: [problem] };
  }
  const reading = readDescription(parsed.document);
  if (!reading.ok) return { ok: false, problems: reading.problems };
  const problems = [...textProblems(parsed.document), ...(await schemaProblems(reading.description))];
  return problems.length > 0 ? { ok: false, problems } : packed(reading.description);
}

function packed({ document, version, title, apiVersion, operations }: Description): DescriptionCheck {
  const json = Buffer.from(JSON.stringify(document));
  if (json.length > descriptionLimits.bytesMax) {
    const message = `must be at most ${descriptionLimits.bytesMax} bytes of JSON`;
    return { ok: false, problems: [{ pointer: '', code: 'too_large', message }] };
  }
  return {
    ok: true,
    description: {
      packed: gzipSync(json).toString('base64'),
      document: {
        openapi: version,
        title: shown(title),
        api_version: shown(apiVersion),
        operations: operations.length,
        size_bytes: json.length,
        sha256: createHash('sha256').update(json).digest('hex'),
      },
    },
  };
}

/** The beginning of a text, without half a character at its end. */
function shown(text: string): string {
  return text.length <= shownLengthMax ? text : text.slice(0, shownLengthMax).replace(/[\uD800-\uDBFF]$/, '');
}

/** Keeps the schemas of the specification's versions once they are compiled, which takes longer than most checks. */
const validator = new Validator({ validateFormats: false, logger: false });

/** What the specification's own schema says. Formats are left out: their expressions are not made for what nobody vouches for. */
async function schemaProblems({ document }: Description): Promise<readonly FieldProblem[]> {
  const { valid, errors } = await validator.validate(document);
  if (valid) return [];
  const listed = Array.isArray(errors) ? errors : [];
  const problems = telling(listed).map((error) => ({
    pointer: error.instancePath,
    code: 'invalid_description',
    message: `${error.message ?? 'is not valid'} (OpenAPI schema)`,
  }));
  if (problems.length > 0) return problems.slice(0, schemaProblemsMax);
  return [{ pointer: '', code: 'invalid_description', message: 'is no valid OpenAPI description' }];
}

type SchemaError = Exclude<NonNullable<Awaited<ReturnType<Validator['validate']>>['errors']>, string>[number];

/** Without what only says that an alternative was none: a missing `$ref` beside the real mistake, and the choice itself. */
function telling(errors: readonly SchemaError[]): readonly SchemaError[] {
  const chosen = errors.filter(
    ({ keyword, params }) =>
      !['if', 'oneOf', 'anyOf', 'allOf', 'not'].includes(keyword) &&
      !(keyword === 'required' && params['missingProperty'] === '$ref'),
  );
  return chosen.length > 0 ? chosen : errors;
}
