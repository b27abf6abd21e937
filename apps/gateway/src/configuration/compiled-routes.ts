import type { RouteTable } from '@portcullis/router';
import { StreamTable } from '../streams/stream-table.ts';
import { changedRouter } from './changed-router.ts';
import { isSame } from './compiled-route.ts';
import type { CompiledRoute, Generation } from './generation.ts';
import type { TimeSlices } from './time-slices.ts';

/** The routes of one generation after another, compiled, and the tables that they are found in: one of requests, one of connections. */
export class CompiledRoutes {
  readonly #ofRequests = new Map<string, CompiledRoute>();
  readonly #ofConnections = new Map<string, CompiledRoute>();
  #router: RouteTable<CompiledRoute> | undefined;
  #streams = new StreamTable<CompiledRoute>([]);
  #upsert: CompiledRoute[] = [];
  #remove: string[] = [];
  #hasStreamsChanged = false;

  get(id: string): CompiledRoute | undefined {
    return this.#ofRequests.get(id) ?? this.#ofConnections.get(id);
  }

  /** A route is no more, or left out. */
  remove(id: string): void {
    if (this.#ofRequests.delete(id)) this.#remove.push(id);
    if (this.#ofConnections.delete(id)) this.#hasStreamsChanged = true;
  }

  /**
   * A route was compiled, perhaps to what it was before: then the tables need not change.
   * @param takesRequests whether a request can match it; by its `stream` it may be found by connections too
   */
  put(id: string, compiled: CompiledRoute, takesRequests: boolean): void {
    const before = this.get(id);
    if (before !== undefined && isSame(before, compiled)) return;
    if (takesRequests) {
      this.#ofRequests.set(id, compiled);
      this.#upsert.push(compiled);
    } else if (this.#ofRequests.delete(id)) this.#remove.push(id);
    if (compiled.stream !== undefined) this.#ofConnections.set(id, compiled);
    if (compiled.stream !== undefined || this.#ofConnections.delete(id)) this.#hasStreamsChanged = true;
  }

  /** The tables with all that was said since they were last asked for. */
  async tables(slices: TimeSlices): Promise<Pick<Generation, 'router' | 'streams'>> {
    const edits = { upsert: this.#upsert, remove: this.#remove };
    this.#upsert = [];
    this.#remove = [];
    this.#router = await changedRouter(this.#router, this.#ofRequests, edits, slices);
    // Few: ports of databases and the like. This table is made anew in one go.
    if (this.#hasStreamsChanged) this.#streams = new StreamTable(this.#ofConnections.values());
    this.#hasStreamsChanged = false;
    return { router: this.#router, streams: this.#streams };
  }
}
