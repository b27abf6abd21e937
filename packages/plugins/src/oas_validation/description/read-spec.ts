import {
  parseDescription,
  pointerTo,
  readDescription,
  referredIn,
  type Description,
  type FollowReferences,
} from '@portcullis/openapi';
import { surveySchemas } from '../schemas/check-schemas.ts';
import { dialectOf, type Dialect } from '../schemas/keywords.ts';
import { schemaRoots } from './schema-roots.ts';

/** Longest description that is given as a text, in characters: JSON, and YAML, which takes many times as long to read. */
export const JSON_LENGTH_MAX = 8_388_608;
export const YAML_LENGTH_MAX = 1_048_576;

/** Most mistakes that are listed. */
const MISTAKES_MAX = 20;

/** A description that can be checked with. */
export interface ReadSpec {
  readonly description: Description;
  readonly follow: FollowReferences;
  readonly dialect: Dialect;
  readonly hasUnevaluated: boolean;
}

/** Something wrong with a description. */
export interface SpecMistake {
  /** JSON Pointer into it; empty for a text that is none. */
  readonly pointer: string;
  readonly message: string;
}

/** Reads a description: an object, or its text. Nothing is fetched, and no schema of it is compiled yet. */
export function readSpec(spec: unknown): ReadSpec | readonly SpecMistake[] {
  if (typeof spec !== 'string') return readDocument(spec);
  if (!/^\s*[{[]/.test(spec) && spec.length > YAML_LENGTH_MAX)
    return [{ pointer: '', message: `must be JSON when it has more than ${YAML_LENGTH_MAX} characters` }];
  const parsed = parseDescription(spec);
  if (!parsed.ok) {
    const { line, column, message } = parsed.error;
    return [{ pointer: '', message: `line ${line}, column ${column}: ${message}` }];
  }
  const read = readDocument(parsed.document);
  if ('description' in read) return read;
  return read.map(({ pointer, message }) => {
    const line = parsed.positions(pointer)?.line;
    return { pointer, message: line === undefined ? message : `line ${line}: ${message}` };
  });
}

function readDocument(document: unknown): ReadSpec | readonly SpecMistake[] {
  const reading = readDescription(document);
  if (!reading.ok) return reading.problems.slice(0, MISTAKES_MAX);
  const { description } = reading;
  const follow = referredIn(document);
  const dialect = dialectOf(description.version);
  const { roots, mistakes } = schemaRoots(description.operations, follow);
  const survey = surveySchemas(roots, follow, dialect);
  const all = [...mistakes, ...survey.mistakes, ...misplacedRests(description)];
  if (all.length > 0) return all.slice(0, MISTAKES_MAX);
  return { description, follow, dialect, hasUnevaluated: survey.hasUnevaluated };
}

/** `{name+}` takes the rest of a path, and so stands at its end. */
function misplacedRests({ operations }: Description): readonly SpecMistake[] {
  return operations
    .filter(({ segments }) =>
      segments.some((segment, index) =>
        segment.some(
          (part) => part.kind === 'parameter' && part.isGreedy && (segment.length > 1 || index < segments.length - 1),
        ),
      ),
    )
    .map(({ path }) => ({ pointer: pointerTo('/paths', path), message: 'may have {name+} only as its last segment' }));
}
