import { setImmediate as nextTurn } from 'node:timers/promises';
import { readContent, type CertificateContent } from './certificate-content.ts';
import type { Certificate } from './certificate.ts';
import { brokenChainRule } from './chain-rules.ts';
import type { Distrust } from './refusal-reasons.ts';

/*
 * Loaded with the first certificate that is judged: the parser and the engine below take some ten milliseconds to load and as many
 * megabytes, which a process without such clients never needs.
 */

/**
 * Judges a path with good signatures, apart from dates. Certificates are taken apart in turns of the event loop of their own.
 * @returns what the client's certificate says; why not, for a path that is not to be trusted
 */
export async function judgePath(path: readonly Certificate[], nowMs: number): Promise<CertificateContent | Distrust> {
  const contents: CertificateContent[] = [];
  for (const certificate of path) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- one after another is the point
    if (!known.has(certificate)) await nextTurn();
    const content = contentOf(certificate);
    if (content === undefined) return 'malformed_certificate';
    contents.push(content);
  }
  const [client] = contents;
  return (await brokenChainRule(contents, nowMs)) ?? client ?? 'malformed_certificate';
}

/** What a certificate says. Authorities are taken apart once, for as long as somebody holds them. */
export function contentOf(certificate: Certificate): CertificateContent | undefined {
  if (!known.has(certificate)) known.set(certificate, readContent(certificate));
  return known.get(certificate);
}

const known = new WeakMap<Certificate, CertificateContent | undefined>();
