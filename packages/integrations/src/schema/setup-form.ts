import type * as v from 'valibot';
import { type SchemaField, schemaMetadata } from './schema-fields.ts';

/**
 * How a console lets somebody set an integration up: by a form, by asking the operator, or not at all. The administration API takes all three alike.
 * Source: spec, Integration driver configuration.
 */
export type ConsoleSetup = 'self_service' | 'by_request' | 'none';

/** One question of a form. */
export interface FormField {
  /** Key in `config` or `secrets`. */
  readonly name: string;
  readonly in: 'config' | 'secrets';
  readonly label: string;
  readonly help: string;
  readonly input: 'text' | 'url' | 'number' | 'select' | 'password';
  readonly required: boolean;
  /** What holds when it is left empty. */
  readonly default?: string | number;
  /** With `select`. */
  readonly options?: readonly string[];
  /** With `number`; both are within. */
  readonly min?: number;
  readonly max?: number;
}

/** What a console asks for. */
export interface SetupForm {
  readonly setup: ConsoleSetup;
  /** Config first, each in the order of its schema. */
  readonly fields: readonly FormField[];
  /** Sets of secrets of which one has to be whole; where several are, the first counts. Empty when `required` says it all. */
  readonly alternatives: readonly (readonly string[])[];
}

/** The form of a driver. */
export function setupForm(
  setup: ConsoleSetup,
  fields: { readonly config: readonly SchemaField[]; readonly secrets: readonly SchemaField[] },
  secretsSchema: v.GenericSchema,
): SetupForm {
  return {
    setup,
    fields: [
      ...fields.config.map((field) => formField('config', field)),
      ...fields.secrets.map((field) => formField('secrets', field)),
    ],
    alternatives: alternativesOf(schemaMetadata(secretsSchema)['anyOf']),
  };
}

function formField(place: 'config' | 'secrets', field: SchemaField): FormField {
  const { name, title, description, isRequired, options, min, max } = field;
  const preset = field.default;
  return {
    name,
    in: place,
    label: title,
    help: description,
    input: inputOf(field),
    required: isRequired,
    ...((typeof preset === 'string' || typeof preset === 'number') && { default: preset }),
    ...(options !== undefined && { options: [...options] }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  };
}

function inputOf({ isHidden, isUrl, type }: SchemaField): FormField['input'] {
  if (isHidden) return 'password';
  if (type === 'picklist') return 'select';
  if (type === 'number') return 'number';
  return isUrl ? 'url' : 'text';
}

/** `anyOf: [{required: [...]}, …]`, as the secrets' schema carries it. */
function alternativesOf(anyOf: unknown): readonly (readonly string[])[] {
  return Array.isArray(anyOf) ? (anyOf as { required: readonly string[] }[]).map(({ required }) => [...required]) : [];
}
