import { RollingWindow, type MomentBudget } from './rolling-window.ts';
import { TokenBudget } from './token-budget.ts';

/** Models whose requests are counted apart, for one subject. All further ones are counted together: clients may invent names. */
export const MODELS_PER_SUBJECT_MAX = 64;

/** What one subject of one policy has used in this process. */
export class SubjectUsage {
  readonly budget: TokenBudget = new TokenBudget();
  readonly #moments: MomentBudget;
  readonly #windows = new Map<string, RollingWindow>();
  #others: RollingWindow | undefined;

  constructor(moments: MomentBudget) {
    this.#moments = moments;
  }

  /** Requests for a model. */
  requests(model: string, nowMs: number, windowMs: number): RollingWindow {
    const known = this.#windows.get(model);
    if (known !== undefined) return known;
    if (this.#windows.size >= MODELS_PER_SUBJECT_MAX) this.#forgetIdle(nowMs, windowMs);
    // A model that was counted with others stays with them until they are over: it would have a second limit otherwise.
    const isAmongOthers = this.#othersUsed(nowMs, windowMs) > 0 || this.#windows.size >= MODELS_PER_SUBJECT_MAX;
    if (isAmongOthers) return (this.#others ??= new RollingWindow(this.#moments));
    const window = new RollingWindow(this.#moments);
    this.#windows.set(model, window);
    return window;
  }

  /** Whether forgetting it would change no decision. */
  isIdle(nowMs: number, windowMs: number): boolean {
    if (!this.budget.isIdle(nowMs)) return false;
    this.#forgetIdle(nowMs, windowMs);
    return this.#windows.size === 0 && this.#othersUsed(nowMs, windowMs) === 0;
  }

  #othersUsed(nowMs: number, windowMs: number): number {
    return this.#others?.used(nowMs, windowMs) ?? 0;
  }

  #forgetIdle(nowMs: number, windowMs: number): void {
    for (const [model, window] of this.#windows) {
      if (window.used(nowMs, windowMs) > 0) continue;
      window.drop();
      this.#windows.delete(model);
    }
  }
}
