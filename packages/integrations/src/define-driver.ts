import * as v from 'valibot';
import type { Ask } from './calls/ask.ts';
import { SyncCalls } from './calls/sync-calls.ts';
import { SyncTime } from './calls/sync-time.ts';
import type { Driver, SyncInput, SyncLimits } from './driver.ts';
import { IntegrationError } from './integration-error.ts';
import { keepingText, type KeepText } from './kept-text.ts';
import { Redaction } from './redaction.ts';
import { deepFrozen } from './schema/deep-frozen.ts';
import { type InputIssue, inputIssues } from './schema/input-issues.ts';
import { type SchemaField, schemaFields } from './schema/schema-fields.ts';
import { type ConsoleSetup, setupForm } from './schema/setup-form.ts';

/** What one look at the other system is given. */
export interface ReadInput<Config, Secrets> {
  readonly config: Config;
  readonly secrets: Secrets;
  /** Asks the other system. Time, sizes, redirects and what failures say are looked after. */
  readonly ask: Ask;
  /**
   * What is kept of a text of an answer: at most 256 characters without control characters, and no secret, nor a part of one. Whatever is cut
   * must go through it, because half a secret is not found any more.
   */
  readonly text: KeepText;
  /** The wall clock, in milliseconds since 1970. */
  readonly nowMs: () => number;
  /** A variable of the operator. Only those of {@link DriverDefinition.variables} are there. */
  readonly variable: (name: string) => string | undefined;
}

/** What a driver is made of. */
export interface DriverDefinition<Config, Secrets, Known extends object, Metadata extends object> {
  /** `snake_case`. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly setup: ConsoleSetup;
  /** A strict object without transformations. Fields with `'x-address': true` in their metadata decide where secrets go. */
  readonly configSchema: v.GenericSchema<Config>;
  /** A strict object without transformations; each field carries `'x-secret': true`. */
  readonly secretsSchema: v.GenericSchema<Secrets>;
  readonly limits: SyncLimits;
  readonly variables?: readonly string[];
  /** What is known before anything is called: part of a failure's metadata. */
  known(input: { readonly config: Config; readonly secrets: Secrets }): Known;
  read(input: ReadInput<Config, Secrets>): Promise<Metadata>;
}

/**
 * Makes a driver. Inputs are checked before anything is called, and no text that leaves it holds a secret.
 * @throws TypeError for a definition that could not be set up: a secret without its mark, a schema that is no object
 */
export function defineDriver<Config, Secrets, Known extends object, Metadata extends object>(
  definition: DriverDefinition<Config, Secrets, Known, Metadata>,
): Driver<Config, Secrets, Metadata> {
  const { name, title, description, setup, configSchema, secretsSchema, limits, variables = [] } = definition;
  if (!/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name)) throw new TypeError(`${name}: a driver's name is in snake_case`);
  const fields = { config: schemaFields(configSchema), secrets: schemaFields(secretsSchema) };
  for (const field of fields.secrets)
    if (!field.isSecret) throw new TypeError(`${name}: the secret ${field.name} is not marked with x-secret`);
  const names = { config: namesOf(fields.config), secrets: namesOf(fields.secrets) };
  const check = (input: { readonly config: unknown; readonly secrets: unknown }): readonly InputIssue[] => [
    ...inputIssues({ place: 'config', schema: configSchema, names: names.config, value: input.config }),
    ...inputIssues({ place: 'secrets', schema: secretsSchema, names: names.secrets, value: input.secrets }),
  ];
  const driver: Driver<Config, Secrets, Metadata> = {
    name,
    title,
    description,
    configSchema,
    secretsSchema,
    form: deepFrozen(setupForm(setup, fields, secretsSchema)),
    addressFields: Object.freeze(fields.config.filter(({ isAddress }) => isAddress).map((field) => field.name)),
    variables: Object.freeze([...variables]),
    limits: Object.freeze({ ...limits }),
    check,
    sync: async (input) => {
      const issues = check(input);
      if (issues.length > 0) throw new IntegrationError('invalid_input', INVALID_INPUT, {}, issues);
      return await syncWith(definition, input);
    },
  };
  return Object.freeze(driver);
}

const INVALID_INPUT = 'the config or the secrets are not what the driver takes';

function namesOf(fields: readonly SchemaField[]): ReadonlySet<string> {
  return new Set(fields.map(({ name }) => name));
}

async function syncWith<Config, Secrets, Known extends object, Metadata extends object>(
  definition: DriverDefinition<Config, Secrets, Known, Metadata>,
  input: SyncInput<Config, Secrets>,
): Promise<Metadata> {
  const { configSchema, secretsSchema, limits, variables = [] } = definition;
  const config = v.parse(configSchema, input.config);
  const secrets = v.parse(secretsSchema, input.secrets);
  const redaction = new Redaction(secrets);
  const time = new SyncTime(limits.timeoutMs, input.clock, input.signal);
  const nowMs = (): number => input.clock.nowMs();
  const clean = (said: string): string => redaction.said(said);
  const calls = new SyncCalls({ fetch: input.fetch, limits, time, nowMs, clean });
  const variable = (name: string): string | undefined =>
    variables.includes(name) ? ownText(input.environment, name) : undefined;
  try {
    const metadata = await time.race(
      definition.read({ config, secrets, ask: calls.ask, text: keepingText(redaction), nowMs, variable }),
    );
    return redaction.without(metadata);
  } catch (error) {
    const { code, message, metadata } = asIntegrationError(error);
    throw new IntegrationError(
      code,
      redaction.without(message),
      redaction.without({ ...definition.known({ config, secrets }), ...asked(calls), ...metadata }),
    );
  } finally {
    time.end();
  }
}

/** For failures that are of no request alone, such as the end of the time. */
function asked({ latest }: SyncCalls): { readonly request?: string } {
  return latest === undefined ? {} : { request: latest };
}

/** Anything else is a mistake of a driver in an answer it did not expect; what it says may quote that answer. */
function asIntegrationError(error: unknown): IntegrationError {
  return error instanceof IntegrationError
    ? error
    : new IntegrationError('unexpected_answer', 'the answer could not be read');
}

function ownText(from: Readonly<Record<string, string | undefined>> | undefined, name: string): string | undefined {
  if (from === undefined || !Object.hasOwn(from, name)) return undefined;
  const text = from[name];
  return text === '' ? undefined : text;
}
