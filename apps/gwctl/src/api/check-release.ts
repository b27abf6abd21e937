import { CommandFailure } from '../failure.ts';
import { printWarning } from '../output/messages.ts';
import { ownRelease } from '../release.ts';
import { notAControlPlane } from './answer-as.ts';
import { problemFailure } from './problem-failure.ts';
import type { Intent, Session } from './session.ts';

/**
 * Compares releases. Another release may read a bundle differently, so writing to it is refused and reading is warned of.
 * Source: decisions, 2; spec, Versioning.
 * @throws CommandFailure for that refusal, and for an address where no control plane answers
 */
export async function checkRelease(
  session: Pick<Session, 'attempt' | 'destination'>,
  intent: Intent,
  allowMismatch: boolean,
): Promise<void> {
  const answer = await session.attempt('GET', '/api/versions');
  if (!answer.ok && answer.problem.status === null) throw problemFailure(answer.problem);
  const body = answer.ok ? answer.body : undefined;
  const said = typeof body === 'object' && body !== null && 'release' in body ? body.release : undefined;
  if (said === ownRelease()) return;
  if (answer.ok && typeof said !== 'string') throw notAControlPlane(session.destination.apiUrl);
  const mismatch = releaseMismatch(session.destination.apiUrl, typeof said === 'string' ? said : undefined);
  if (intent === 'write' && !allowMismatch) {
    throw new CommandFailure(`${mismatch}: writing is refused (--allow-version-mismatch does it anyway)`);
  }
  printWarning(mismatch);
}

/** A sentence that says that a control plane and this tool are not of one release. */
export function releaseMismatch(apiUrl: string, release: string | undefined): string {
  const server = release === undefined ? 'of an unknown release' : `of release ${release}`;
  return `${apiUrl} is ${server}, gwctl is ${ownRelease()}`;
}
