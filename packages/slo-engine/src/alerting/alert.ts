import type { Evaluation, SloState, Timestamp } from '../evaluation.ts';

/** The alert of an SLO, as it is answered. Source: wire, SLOs. */
export interface Alert {
  readonly state: SloState;
  /** Since when the state is this one. `null` before the first evaluation. */
  readonly since: Timestamp | null;
  readonly acknowledged: boolean;
  readonly acknowledged_by: string | null;
  readonly acknowledged_at: Timestamp | null;
  readonly note: string | null;
}

/** An alert and what decides which evaluations are news to it. */
export interface AlertRecord {
  readonly alert: Alert;
  /** Of the evaluation that was applied last, milliseconds since 1970. `null` before the first. */
  readonly evaluatedAtMs: number | null;
  /** Of the definition that was evaluated last or that an update has put in its place; it grows with each. */
  readonly definitionVersion: number;
}

/** What happens to an alert. Moments are milliseconds since 1970. */
export type AlertEvent =
  | {
      readonly type: 'evaluated';
      readonly evaluation: Evaluation;
      readonly atMs: number;
      /** Of the definition that was evaluated. */
      readonly definitionVersion: number;
      /** Who asked for the evaluation. */
      readonly by?: string | null | undefined;
    }
  | { readonly type: 'acknowledged'; readonly by: string; readonly note: string | null; readonly atMs: number }
  | { readonly type: 'updated'; readonly by: string; readonly atMs: number; readonly definitionVersion: number };

/** An entry of an SLO's timeline. Whoever stores it gives it an `id` and the `slo_id`. Source: wire, SLOs. */
export interface TimelineEvent {
  readonly type: 'created' | 'updated' | 'transition' | 'acknowledged';
  /** `null` only in `created`. Other entries than transitions have the same state twice. */
  readonly from_state: SloState | null;
  readonly to_state: SloState;
  readonly actor: string | null;
  readonly note: string | null;
  /** Of transitions: what led to it. */
  readonly evaluation: Evaluation | null;
  readonly at: Timestamp;
}

/** What became of an event. */
export type AlertOutcome =
  | {
      readonly ok: true;
      readonly record: AlertRecord;
      /** Something changed that has to be stored. `false`: the evaluation was older than what is stored, and was dropped. */
      readonly isApplied: boolean;
      readonly timelineEvent?: TimelineEvent;
    }
  | { readonly ok: false; readonly code: 'invalid_state'; readonly message: string };

/** The alert of a new SLO, and the entry that its timeline begins with. */
export function createdAlert(by: string | null, atMs: number): { record: AlertRecord; timelineEvent: TimelineEvent } {
  const alert: Alert = { state: 'no_data', since: null, ...unacknowledged };
  return {
    record: { alert, evaluatedAtMs: null, definitionVersion: 1 },
    timelineEvent: {
      type: 'created',
      from_state: null,
      to_state: 'no_data',
      actor: by,
      note: null,
      evaluation: null,
      at: new Date(atMs).toISOString(),
    },
  };
}

/** Of an alert that nobody has acknowledged. */
export const unacknowledged = {
  acknowledged: false,
  acknowledged_by: null,
  acknowledged_at: null,
  note: null,
} as const;
