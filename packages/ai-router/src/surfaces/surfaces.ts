import type { AiOperation } from '../operation.ts';
import { completionsSurface } from './completions/completions-surface.ts';
import { messagesSurface } from './messages/messages-surface.ts';
import type { Surface } from './surface.ts';

/** Surfaces are constants without state. */
const surfaces: ReadonlyMap<AiOperation, Surface> = new Map<AiOperation, Surface>([
  ['completions', completionsSurface],
  ['messages', messagesSurface],
]);

/**
 * How a form other than `chat` becomes `chat` and back. `undefined` for `chat` itself, and for forms that only providers which speak them
 * can serve (`embeddings`, `responses`).
 */
export function surfaceOf(operation: AiOperation): Surface | undefined {
  return surfaces.get(operation);
}
