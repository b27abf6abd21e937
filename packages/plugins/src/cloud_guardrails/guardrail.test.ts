import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import { SecretError } from '@portcullis/plugin-runtime';
import type { RecordedRequest } from '@portcullis/testkit';
import { describe, expect, it } from 'vitest';
import { ChatBench, chatOf, startService } from '../shared/chat/chat-bench.test-support.ts';
import { guardrailAddress } from './guardrail.ts';
import { cloudGuardrails } from './index.ts';

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const keys = { access_key_id: credentials.accessKeyId, secret_access_key: credentials.secretAccessKey };

/** SHA-256 as the signer of AWS's own SDK wants it. */
class Sha256 {
  readonly #hash;
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesOf(secret));
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(bytesOf(data));
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }
  reset(): void {
    throw new Error('nobody resets it');
  }
}

function bytesOf(data: string | ArrayBuffer | ArrayBufferView): Buffer {
  if (typeof data === 'string') return Buffer.from(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
}

/** The signature that AWS's own SDK gives the request that arrived. */
async function sdkSignature(request: RecordedRequest, sessionToken?: string): Promise<string | undefined> {
  const signer = new SignatureV4({
    service: 'bedrock',
    region: 'eu-central-1',
    credentials: sessionToken === undefined ? credentials : { ...credentials, sessionToken },
    sha256: Sha256,
    applyChecksum: false,
  });
  const { headers } = await signer.sign(
    {
      method: request.method,
      protocol: 'https:',
      hostname: '127.0.0.1',
      path: request.url,
      headers: { host: request.headers.host ?? '', 'content-type': request.headers['content-type'] ?? '' },
      body: request.body,
    },
    { signingDate: new Date('2026-01-02T03:04:05Z') },
  );
  return headers['authorization'];
}

async function asked(
  config: object,
  body: unknown = chatOf('hello'),
  secrets?: ConstructorParameters<typeof ChatBench>[2],
) {
  await using service = await startService();
  service.say({ action: 'NONE', outputs: [], assessments: [] });
  const given = { guardrail_id: 'gr1', region: 'eu-central-1', endpoint_url: service.url, ...config };
  await using bench = new ChatBench(cloudGuardrails, given, secrets);
  const exchange = await bench.ask(body);
  return { requests: service.requests, exchange, lines: bench.lines };
}

describe('a call', () => {
  it.each<[string, object, string, string?]>([
    ['with a key', keys, '/guardrail/gr1/version/DRAFT/apply'],
    [
      'with temporary credentials',
      { ...keys, session_token: 'tok/+=' },
      '/guardrail/gr1/version/DRAFT/apply',
      'tok/+=',
    ],
    [
      'of an ARN and a version',
      { ...keys, guardrail_id: 'arn:aws:bedrock:eu-central-1:123456789012:guardrail/gr1', guardrail_version: 3 },
      '/guardrail/arn%3Aaws%3Abedrock%3Aeu-central-1%3A123456789012%3Aguardrail%2Fgr1/version/3/apply',
    ],
  ])('%s is signed as AWS’s own SDK signs it', async (_name, config, path, token) => {
    const { requests } = await asked(config);
    const [request] = requests;
    if (request === undefined) throw new Error('nothing was asked');
    expect([request.method, request.url, request.headers['x-amz-date']]).toEqual(['POST', path, '20260102T030405Z']);
    expect(request.headers['x-amz-security-token']).toBe(token);
    expect(request.headers.authorization).toBe(await sdkSignature(request, token));
  });

  it('has what is judged, and what it is', async () => {
    const { requests } = await asked({ ...keys, qualifiers: ['guard_content'] }, chatOf('hello'));
    expect(JSON.parse(requests[0]?.body.toString() ?? '')).toEqual({
      source: 'INPUT',
      content: [{ text: { text: 'hello', qualifiers: ['guard_content'] } }],
    });
  });

  it('is signed with variables that the operator lets the tenant read', async () => {
    const values: Record<string, string> = { 'env://ID': 'AKIDEXAMPLE\n', 'env://SECRET': credentials.secretAccessKey };
    const secrets = {
      read(reference: string) {
        const value = values[reference];
        if (value === undefined) throw new SecretError('denied', 'the operator does not let this tenant read it');
        return Promise.resolve(value);
      },
    };
    const { requests } = await asked({ access_key_id_env: 'ID', secret_access_key_env: 'SECRET' }, undefined, {
      secrets,
    });
    const [request] = requests;
    if (request === undefined) throw new Error('nothing was asked');
    expect(request.headers.authorization).toBe(await sdkSignature(request));
    const denied = await asked({ access_key_id_env: 'ID', secret_access_key_env: 'DATABASE_URL' }, undefined, {
      secrets,
    });
    expect([denied.requests, denied.exchange.response.status]).toEqual([[], 503]);
  });
});

it.each([
  ['us-east-1', 'https://bedrock-runtime.us-east-1.amazonaws.com'],
  ['us-gov-west-1', 'https://bedrock-runtime.us-gov-west-1.amazonaws.com'],
  ['cn-north-1', 'https://bedrock-runtime.cn-north-1.amazonaws.com.cn'],
])('goes to the cloud’s own address of %s, where nothing else is said', (region, origin) => {
  expect(guardrailAddress({ guardrail_id: 'g', guardrail_version: 'DRAFT', region })).toEqual({
    url: `${origin}/guardrail/g/version/DRAFT/apply`,
    host: new URL(origin).host,
    path: '/guardrail/g/version/DRAFT/apply',
  });
});
