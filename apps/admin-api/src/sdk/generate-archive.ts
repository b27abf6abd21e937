import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { descriptionLimits, readDescription } from '@portcullis/openapi';
import { generateSdk, type SdkProblem, type SdkTargetName, type SdkWarning } from '@portcullis/sdk-generator';
import type { FieldProblem } from '../http/problem.ts';

/** Bytes of an archive: it leaves as Base64 inside of an answer. */
const archiveBytesMax = 33_554_432;

/** A stored description that a client library is to be made of. */
export interface GenerationTask {
  readonly kind: 'generate';
  /** JSON, gzip, base64. */
  readonly packed: string;
  readonly target: SdkTargetName;
  /** Made of the title where it is not given. */
  readonly packageName: string | undefined;
  /** Where clients reach the gateway. The description itself counts where it says where the API is. */
  readonly proxyUrl: string | undefined;
}

/** The answer of an export. Source: wire contract, AI records, integrations, SDKs. */
export interface SdkArchive {
  readonly file_name: string;
  readonly media_type: 'application/zip';
  readonly size_bytes: number;
  readonly checksum_sha256: string;
  readonly content_base64: string;
  readonly target: SdkTargetName;
  readonly package_name: string;
  readonly generator_version: string;
  readonly warnings: readonly SdkWarning[];
}

/** An archive, or what is in its way; pointers are into the request or, below `/spec`, into the description. */
export type GeneratedArchive =
  | { readonly ok: true; readonly archive: SdkArchive }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** Makes a client library. May take seconds: only for threads that somebody ends. */
export function generateArchive({ packed, target, packageName, proxyUrl }: GenerationTask): GeneratedArchive {
  const json = gunzipSync(Buffer.from(packed, 'base64'), { maxOutputLength: descriptionLimits.bytesMax });
  const document: unknown = JSON.parse(json.toString());
  const made = generateSdk(document, { target, packageName, baseUrl: baseUrlOf(document, proxyUrl) });
  if (!made.ok) return { ok: false, problems: made.problems.map(placed) };
  const { bytes, fileName, mediaType, warnings, generatorVersion } = made.sdk;
  if (bytes.length > archiveBytesMax) {
    const message = `the archive would have more than ${archiveBytesMax} bytes`;
    return { ok: false, problems: [{ pointer: '/spec', code: 'sdk_too_large', message }] };
  }
  return {
    ok: true,
    archive: {
      file_name: fileName,
      media_type: mediaType,
      size_bytes: bytes.length,
      checksum_sha256: createHash('sha256').update(bytes).digest('hex'),
      content_base64: Buffer.from(bytes).toString('base64'),
      target,
      package_name: made.sdk.packageName,
      generator_version: generatorVersion,
      warnings: warnings.map(({ pointer, message }) => ({ pointer: `/spec${pointer}`, message })),
    },
  };
}

/** The gateway's address for descriptions that leave open where the API is. Nothing that must not stand in a base URL is taken over. */
function baseUrlOf(document: unknown, proxyUrl: string | undefined): string | undefined {
  if (proxyUrl === undefined) return undefined;
  const reading = readDescription(document);
  const [server] = reading.ok ? reading.description.servers : [];
  if (server && URL.canParse(server.url)) return undefined;
  const { origin, pathname } = new URL(proxyUrl);
  return `${origin}${pathname}`;
}

const requestFields: Readonly<Partial<Record<SdkProblem['code'], string>>> = {
  sdk_package_name: '/package_name',
  sdk_target: '/target',
};

function placed({ pointer, code, message }: SdkProblem): FieldProblem {
  return { pointer: requestFields[code] ?? `/spec${pointer}`, code, message };
}
