import type { RequestView } from '@portcullis/plugin-runtime';
import {
  parseDictionary,
  serializeInnerList,
  serializeString,
  type Dictionary,
  type InnerList,
} from 'structured-headers';
import { componentValue, withImplied } from './message-components.ts';
import {
  COVERED_MAX,
  KEY_ID_LENGTH_MAX,
  NONCE_LENGTH_MAX,
  SIGNATURE_HEADER_LENGTH_MAX,
  covers,
  type SignatureFault,
  type SignedRequest,
} from './signed-request.ts';

/*
 * HTTP Message Signatures with `hmac-sha256`, the one algorithm with a shared secret. Source: RFC 9421.
 */

/** What such a signature must be like. */
export interface MessageSignatureRules {
  readonly required: readonly string[];
  readonly skewMs: number;
  readonly needsNonce: boolean;
}

/** Most signatures of one request. Those in between may have added theirs. */
export const SIGNATURES_MAX = 4;

/** Whether a request presents signatures of this form, readable or not. */
export function hasMessageSignature({ headers }: RequestView): boolean {
  return headers.has('signature-input');
}

/** The signatures that can be read, cover enough and are of now, and why the others do not count, of which there is one at least. */
export function readMessageSignatures(
  request: RequestView,
  rules: MessageSignatureRules,
  nowMs: number,
): readonly (SignedRequest | SignatureFault)[] {
  const inputs = dictionaryOf(request, 'signature-input');
  const signatures = dictionaryOf(request, 'signature');
  if (inputs === undefined || signatures === undefined || inputs.size > SIGNATURES_MAX)
    return ['malformed_credentials'];
  const read = [...inputs].map(([label, input]) => {
    const signature = signatures.get(label)?.[0];
    const isSignature = Array.isArray(input[0]) && signature instanceof ArrayBuffer;
    return isSignature
      ? signedRequest(request, input as InnerList, new Uint8Array(signature), rules, nowMs)
      : 'malformed_credentials';
  });
  return read.length === 0 ? ['malformed_credentials'] : read;
}

/** The text that is signed: a line for each component, and one for the parameters. Source: section 2.5. */
export function signatureBase(request: RequestView, input: InnerList): string | undefined {
  const lines: string[] = [];
  for (const [name, parameters] of input[0]) {
    const value = typeof name === 'string' && parameters.size === 0 ? componentValue(request, name) : undefined;
    if (value === undefined) return undefined;
    lines.push(`${serializeString(name as string)}: ${value}`);
  }
  return [...lines, `"@signature-params": ${serializeInnerList(input)}`].join('\n');
}

function signedRequest(
  request: RequestView,
  input: InnerList,
  signature: Uint8Array,
  rules: MessageSignatureRules,
  nowMs: number,
): SignedRequest | SignatureFault {
  const [components, parameters] = input;
  const [keyId, nonce] = [parameters.get('keyid'), parameters.get('nonce')];
  const covered = new Set(components.map(([name]) => String(name)));
  if (covered.size !== components.length || components.length > COVERED_MAX) return 'malformed_credentials';
  if (!covers({ covered: withImplied(covered) }, rules.required)) return 'not_covered';
  const fault = timeFault(parameters.get('created'), parameters.get('expires'), rules.skewMs, nowMs);
  if (fault !== undefined) return fault;
  if ((parameters.get('alg') ?? ALGORITHM) !== ALGORITHM) return 'algorithm';
  if (!isText(keyId, KEY_ID_LENGTH_MAX)) return 'malformed_credentials';
  if (nonce === undefined && rules.needsNonce) return 'missing_nonce';
  if (nonce !== undefined && !isText(nonce, NONCE_LENGTH_MAX)) return 'malformed_credentials';
  const base = signatureBase(request, input);
  if (base === undefined) return 'missing_header';
  return { keyId, algorithm: ALGORITHM, signature, texts: [base], covered, nonce };
}

const ALGORITHM = 'hmac-sha256';

function isText(value: unknown, lengthMax: number): value is string {
  return typeof value === 'string' && value !== '' && value.length <= lengthMax;
}

/** Times are whole seconds since 1970. Source: section 2.3. */
function timeFault(created: unknown, expires: unknown, skewMs: number, nowMs: number): SignatureFault | undefined {
  if (typeof created !== 'number') return 'missing_time';
  if (Math.abs(nowMs - created * 1000) > skewMs) return 'clock_skew';
  const isOver = expires !== undefined && !(typeof expires === 'number' && nowMs < expires * 1000);
  return isOver ? 'expired' : undefined;
}

function dictionaryOf(request: RequestView, name: string): Dictionary | undefined {
  const value = request.headers.get(name);
  if (value === undefined || value.length > SIGNATURE_HEADER_LENGTH_MAX) return undefined;
  try {
    return parseDictionary(value);
  } catch {
    return undefined;
  }
}
