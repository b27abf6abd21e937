import { awsSegment, signatureV4, type AwsCredential } from '@portcullis/ai-router';
import type { PluginServices } from '@portcullis/plugin-runtime';
import { askService, ServiceError } from '../shared/chat/json-service.ts';
import { secretReader } from '../shared/chat/service-secret.ts';
import type { Config } from './config.ts';
import { guardrailVerdict, type GuardrailVerdict } from './guardrail-answer.ts';
import { textCalls, type TextPiece } from './text-pieces.ts';

/** Whose texts they are, in the cloud's words. */
export type GuardrailSource = 'INPUT' | 'OUTPUT';

/** Judges texts by a guardrail. Throws `ServiceError` where it cannot be asked. */
export type Guardrail = (
  source: GuardrailSource,
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<GuardrailVerdict>;

/** Makes the calls of a guardrail, signed with Signature Version 4. Source: wire, Value forms, AI; AWS, ApplyGuardrail. */
export function cloudGuardrail(given: Config, services: PluginServices): Guardrail {
  const { outbound, clock } = services;
  const { url, host, path } = guardrailAddress(given);
  const credentialOf = credentialReader(given, services);
  const { region } = given;
  const limitMs = Math.ceil(given.timeout_seconds * 1000);
  const ask = async (
    source: GuardrailSource,
    pieces: readonly TextPiece[],
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<GuardrailVerdict> => {
    const body = JSON.stringify({ source, content: pieces.map(({ text }) => contentOf(text, given.qualifiers)) });
    const headers = signatureV4(
      {
        ...{ host, path, region, body, service: 'bedrock', nowMs: clock.nowMs() },
        headers: { 'content-type': 'application/json' },
      },
      await credentialOf(signal),
    );
    const answer = await askService(outbound, 'the guardrail', { url, headers, body, timeoutMs, signal });
    return guardrailVerdict(answer, pieces.length);
  };
  return async (source, texts, signal) => {
    const endMs = clock.monotonicMs() + limitMs;
    const results = texts.map(() => '');
    let isMasked = false;
    for (const pieces of textCalls(texts)) {
      const leftMs = Math.ceil(endMs - clock.monotonicMs());
      if (leftMs <= 0) throw new ServiceError('the guardrail', 'timeout');
      const verdict = await ask(source, pieces, leftMs, signal);
      if (verdict.action === 'blocked') return verdict;
      isMasked ||= verdict.action === 'masked';
      for (const [index, { of, text }] of pieces.entries()) {
        results[of] += verdict.action === 'masked' ? (verdict.texts[index] ?? '') : text;
      }
    }
    return isMasked ? { action: 'masked', texts: results } : { action: 'pass' };
  };
}

function contentOf(text: string, qualifiers: Config['qualifiers']): object {
  return { text: { text, ...(qualifiers !== undefined && qualifiers.length > 0 && { qualifiers }) } };
}

/** See {@link guardrailAddress}. */
export interface GuardrailAddress {
  readonly url: string;
  /** With the port, unless it is the scheme's own. */
  readonly host: string;
  /** As it goes over the wire. */
  readonly path: string;
}

/** Where a guardrail is asked: at the configured address, or the cloud's own of the region. */
export function guardrailAddress({
  endpoint_url: endpoint,
  region,
  guardrail_id: id,
  guardrail_version: version,
}: Pick<Config, 'endpoint_url' | 'region' | 'guardrail_id' | 'guardrail_version'>): GuardrailAddress {
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const base = new URL(endpoint ?? `https://bedrock-runtime.${region}.${domain}`);
  const path = `${base.pathname.replace(/\/+$/, '')}/guardrail/${awsSegment(id)}/version/${version}/apply`;
  return { url: `${base.origin}${path}`, host: base.host, path };
}

function credentialReader(given: Config, { secrets }: PluginServices): (signal: AbortSignal) => Promise<AwsCredential> {
  const id = secretReader(secrets, given.access_key_id, given.access_key_id_env);
  const secret = secretReader(secrets, given.secret_access_key, given.secret_access_key_env);
  const token = secretReader(secrets, given.session_token, given.session_token_env);
  return async (signal) => {
    const [accessKeyId = '', secretAccessKey = '', sessionToken] = await Promise.all(
      [id, secret, token].map(async (read) => withoutLineBreak(await read(signal))),
    );
    return { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  };
}

/** A line break at the end is that of the file or the form that the secret came from. */
function withoutLineBreak(secret: string | undefined): string | undefined {
  return secret?.replace(/\r?\n$/, '');
}
