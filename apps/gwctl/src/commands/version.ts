import { harmlessText } from '@portcullis/bundle-diff';
import { openUnauthenticated } from '../api/session.ts';
import { notAControlPlane } from '../api/answer-as.ts';
import { problemFailure } from '../api/problem-failure.ts';
import { textOf } from '../api/session-grant.ts';
import { readContexts } from '../contexts/context-file.ts';
import { readEnvironment } from '../contexts/environment.ts';
import { exitCodes } from '../failure.ts';
import type { GlobalOptions } from '../options.ts';
import { printDocument } from '../output/document.ts';
import { printWarning } from '../output/messages.ts';
import { ownRelease } from '../release.ts';

/** Options of `gwctl version`. */
export interface VersionOptions extends GlobalOptions {
  readonly client?: boolean;
}

/** Prints the releases of gwctl and, where one is known, of the control plane. Warns when they differ. */
export async function version(options: VersionOptions): Promise<number> {
  const server = options.client === true || !isAddressKnown(options) ? null : await serverOf(options);
  const document = { gwctl: ownRelease(), node: process.versions.node, server };
  await printDocument(options.outputFormat, document, () => {
    const answer = server
      ? `${harmlessText(server.release)} (API ${harmlessText(server.api_version)}, ${server.api_url})`
      : '-';
    return [`gwctl   ${document.gwctl} (Node.js ${document.node})`, `server  ${answer}`].join('\n');
  });
  if (server && server.release !== document.gwctl) {
    printWarning('the releases differ: gwctl reads from this control plane, and refuses to write to it');
  }
  return exitCodes.done;
}

function isAddressKnown({ apiUrl, context }: GlobalOptions): boolean {
  const environment = readEnvironment();
  return [apiUrl, context, environment.apiUrl, environment.context, readContexts().current].some(
    (source) => source !== undefined && source !== null,
  );
}

async function serverOf(options: GlobalOptions) {
  const { attempt, destination } = await openUnauthenticated(options);
  const answer = await attempt('GET', '/api/versions');
  if (!answer.ok) throw problemFailure(answer.problem);
  const release = textOf(answer.body, 'release');
  if (release === undefined) throw notAControlPlane(destination.apiUrl);
  return { api_url: destination.apiUrl, release, api_version: textOf(answer.body, 'current') ?? '-' };
}
