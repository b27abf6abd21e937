import { dotPath, jsonIn, type DotPath } from '../shared/chat/dot-path.ts';
import { ServiceError } from '../shared/chat/json-service.ts';
import { isChatJudge, PASSING_VERDICTS, type Config } from './config.ts';

/** What a judge said. */
export interface Judgement {
  readonly passes: boolean;
  readonly verdict: string | undefined;
  readonly score: number | undefined;
}

/**
 * Compiles how a judge's answer is read. An answer passes when its verdict is an allowed one and its score is high enough. A verdict is needed
 * unless a score is asked for; one that is there counts in any case.
 * @throws ServiceError (the function) for an answer without what is needed
 */
export function judgementReader(given: Config): (answer: unknown) => Judgement {
  const { minimum_score: scoreMin } = given;
  const allowed = new Set((given.allowed_verdicts ?? PASSING_VERDICTS).map(folded));
  const isVerdictNeeded = given.allowed_verdicts !== undefined || scoreMin === undefined;
  const [verdictIn, scoreIn] = [pathIn(given, given.verdict_path), pathIn(given, given.score_path)];
  return (answer) => {
    const verdict = verdictOf(verdictIn(answer));
    const score = scoreOf(scoreIn(answer));
    if (verdict === undefined && isVerdictNeeded) throw new ServiceError('the judge', 'no_verdict');
    if (score === undefined && scoreMin !== undefined) throw new ServiceError('the judge', 'no_score');
    const isAllowed = verdict === undefined || allowed.has(folded(verdict));
    return { passes: isAllowed && (scoreMin === undefined || (score ?? -Infinity) >= scoreMin), verdict, score };
  };
}

/** A path in the answer; of a chat also in what the model said, which is JSON. */
function pathIn(given: Config, path: string): DotPath {
  const own = dotPath(path);
  if (!isChatJudge(given)) return own;
  const said = dotPath('choices.0.message.content');
  return (answer) => {
    const content = said(answer);
    return own(answer) ?? (typeof content === 'string' ? own(jsonIn(content)) : undefined);
  };
}

function verdictOf(value: unknown): string | undefined {
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function scoreOf(value: unknown): number | undefined {
  const score = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof score === 'number' && Number.isFinite(score) ? score : undefined;
}

function folded(verdict: string): string {
  return verdict.trim().toLowerCase();
}
