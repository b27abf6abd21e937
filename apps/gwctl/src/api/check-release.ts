import { CommandFailure } from '../failure.ts';
import { printWarning } from '../output/terminal.ts';
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
  const server = typeof said === 'string' ? `of release ${said}` : 'of an unknown release';
  const mismatch = `${session.destination.apiUrl} is ${server}, gwctl is ${ownRelease()}`;
  if (intent === 'write' && !allowMismatch) {
    throw new CommandFailure(`${mismatch}: writing is refused (--allow-version-mismatch does it anyway)`);
  }
  printWarning(mismatch);
}
