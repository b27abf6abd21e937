import { descriptionLimits } from '../limits.ts';
import type { ProblemList } from '../problem.ts';
import { pointerOver } from './json-pointer.ts';
import { containersIn } from './json-values.ts';

/**
 * Checks the depth, width and size of a document before anything follows it. Values that a YAML alias repeats are looked at
 * once for each level on which they stand, and a circle is too deep.
 * @returns whether the document may be read
 */
export function checkShape(document: unknown, problems: ProblemList): boolean {
  const { depthMax, keysPerObjectMax, containersMax } = descriptionLimits;
  const levels = new Map<object, number>();
  const steps: (string | number)[] = [];
  const look = (value: object): boolean => {
    const level = steps.length + 1;
    if (level > depthMax) {
      problems.add(pointerOver(steps), 'too_deep', `must nest at most ${depthMax} levels`);
      return false;
    }
    if ((levels.get(value) ?? 0) >= level) return true;
    levels.set(value, level);
    if (levels.size > containersMax) {
      problems.add('', 'too_many', `must have at most ${containersMax} objects and lists`);
      return false;
    }
    if (!Array.isArray(value) && Object.keys(value).length > keysPerObjectMax) {
      problems.add(pointerOver(steps), 'too_many', `must have at most ${keysPerObjectMax} keys`);
      return false;
    }
    for (const [step, inner] of containersIn(value)) {
      steps.push(step);
      if (!look(inner)) return false;
      steps.pop();
    }
    return true;
  };
  return typeof document !== 'object' || document === null || look(document);
}
