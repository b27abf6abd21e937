import type { Violation, Workspace } from '../repository.ts';
import { dependencyViolations } from './dependencies.ts';
import { importViolations } from './imports-between.ts';
import { reachViolations } from './reach.ts';

/** Every broken border of a repository: who imports whom, how far an import reaches, and what a manifest declares. */
export function checkBorders(workspaces: readonly Workspace[]): readonly Violation[] {
  return workspaces.flatMap((workspace) => [
    ...importViolations(workspace, workspaces),
    ...reachViolations(workspace, workspaces),
    ...dependencyViolations(workspace, workspaces),
  ]);
}
