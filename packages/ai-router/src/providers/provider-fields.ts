import * as v from 'valibot';
import { boundedText } from '../config/fields.ts';

/** Characters of a secret, and of a header's value. */
const SECRET_LENGTH_MAX = 8192;
const URL_LENGTH_MAX = 2048;
const PATH_LENGTH_MAX = 512;
const REFERENCE_LENGTH_MAX = 1032;
const WORD_LENGTH_MAX = 128;

/** Headers that say who asks of whom, how the body is written or what may come back: never a config's. */
const REFUSED_HEADERS: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The key of a schema's metadata that marks what is masked in reads and sealed in stores. */
const SECRET = { 'x-secret': true } as const;

/** A secret itself. One byte a character and no control characters, because it goes into a header. */
export function secretField(description: string): v.GenericSchema<string> {
  return v.pipe(
    v.string('must be text'),
    v.maxLength(SECRET_LENGTH_MAX, `must have at most ${SECRET_LENGTH_MAX} characters`),
    v.regex(/^[\x21-\x7e][\x20-\x7e]*$/, 'must be of visible ASCII characters'),
    v.metadata(SECRET),
    v.description(description),
  );
}

/** The name of a variable of the gateway's process that holds a secret. The operator says who may read which. Source: decisions, 19. */
export function variableField(description: string): v.GenericSchema<string> {
  return matching(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'must be the name of a variable', description);
}

/** Where a secret is. */
export function referenceField(description: string): v.GenericSchema<string> {
  return matching(
    /^(?:vault|env):\/\/[\x21-\x7e]{1,1024}$/,
    'must be vault://PREFIX/SECRET or env://NAME',
    description,
    REFERENCE_LENGTH_MAX,
  );
}

/** The address of a provider's API. */
export function baseUrlField(description: string): v.GenericSchema<string> {
  return v.pipe(
    v.string('must be text'),
    v.maxLength(URL_LENGTH_MAX, `must have at most ${URL_LENGTH_MAX} characters`),
    v.regex(/^[Hh][Tt][Tt][Pp][Ss]?:\/\/[\x21-\x5b\x5d-\x7e]+$/, 'must be an https: or http: URL'),
    v.check(isPlainUrl, 'must be a URL without user, query and fragment'),
    v.description(description),
  );
}

function isPlainUrl(given: string): boolean {
  if (!URL.canParse(given) || /[?#]/.test(given)) return false;
  const { username, password } = new URL(given);
  return username === '' && password === '';
}

/** A path below the base. Some adapters put the model in it. */
export function pathField(description: string): v.GenericSchema<string> {
  return v.pipe(
    v.string('must be text'),
    v.maxLength(PATH_LENGTH_MAX, `must have at most ${PATH_LENGTH_MAX} characters`),
    v.regex(/^(?:\/(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|\{model\}|\{method\})+)+$/, 'must be a path that begins with /'),
    v.check((given) => !given.split('/').some((part) => part === '.' || part === '..'), 'must have no . and .. in it'),
    v.description(description),
  );
}

/** What becomes a part of an address or a header. */
export function tokenField(description: string): v.GenericSchema<string> {
  return matching(/^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/, 'must be 1 to 128 of A-Z a-z 0-9 . _ : -', description);
}

/** The name of a provider: the first part of what targets are called, and a label of metrics. */
export function providerNameField(description: string): v.GenericSchema<string> {
  return matching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, 'must be 1 to 128 of A-Z a-z 0-9 . _ -', description);
}

/** A part of a host's name; which ones a vendor has is checked with its type. */
export function regionField(description: string): v.GenericSchema<string> {
  return matching(/^[a-z][a-z0-9]*(?:-[a-z0-9]+){0,4}$/, 'must be the name of a region', description);
}

/** The name of a header that requests may carry. */
export function headerNameField(description: string): v.GenericSchema<string> {
  return v.pipe(
    matching(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/, 'must be a header name', description),
    v.check((name) => !REFUSED_HEADERS.has(name.toLowerCase()), 'names a header that the gateway itself sets'),
  );
}

/** The value of a header. It may be a credential, so it is kept as one. */
export function headerValueField(description: string): v.GenericSchema<string> {
  return v.pipe(
    v.string('must be text'),
    v.maxLength(SECRET_LENGTH_MAX, `must have at most ${SECRET_LENGTH_MAX} characters`),
    v.regex(/^[\t\x20-\x7e]*$/, 'must be a header value of ASCII characters'),
    v.metadata(SECRET),
    v.description(description),
  );
}

/** The name of a parameter in a query or a body. */
export function parameterNameField(description: string): v.GenericSchema<string> {
  return matching(/^(?!__proto__$)[A-Za-z0-9_.-]{1,128}$/, 'must be 1 to 128 of A-Z a-z 0-9 . _ -', description);
}

/** What a provider calls a model. */
export function upstreamModelField(): v.GenericSchema<string> {
  return boundedText('Model as the provider calls it', 256);
}

function matching(
  pattern: RegExp,
  message: string,
  description: string,
  lengthMax: number = WORD_LENGTH_MAX,
): v.GenericSchema<string> {
  return v.pipe(
    v.string('must be text'),
    v.maxLength(lengthMax, `must have at most ${lengthMax} characters`),
    v.regex(pattern, message),
    v.description(description),
  );
}
