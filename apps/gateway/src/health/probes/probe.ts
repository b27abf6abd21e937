import { hostWithoutPort } from '../../balancing/name-in-tls.ts';
import type { UpstreamTls } from '../../transport/upstream-tls.ts';
import type { CheckResult, Judgement } from '../health-settings.ts';
import type { ActiveCheckRecord } from '../health-check-record.ts';

/** How the endpoints of an upstream are asked; compiled once per configuration. */
export interface ProbePlan {
  readonly type: ActiveCheckRecord['type'];
  readonly timeoutMs: number;
  readonly path: string;
  /** Fields of the probe, in the form that Node takes. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** `host` in place of the target's own name. */
  readonly hostHeader: string | undefined;
  readonly sni: string | undefined;
  readonly verifiesCertificate: boolean;
  /** Whom requests trust, and what they present. */
  readonly tls: UpstreamTls | undefined;
  readonly judgement: Judgement;
}

/** Who is asked. */
export interface ProbeAddress {
  /** Literal address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  /** Name that the target was given by. */
  readonly name: string;
}

/** What came of a probe. */
export interface ProbeOutcome {
  readonly result: CheckResult;
  /** For people, in a few words: the status, or what failed. */
  readonly reason: string;
}

/** A probe on its way. Ends by itself within the plan's time. */
export interface RunningProbe {
  /** Does not reject. */
  readonly done: Promise<ProbeOutcome>;
  /** Gives it up and frees what it holds; `done` settles, if it has not. */
  abort(): void;
}

/** Sends one probe over a connection of its own. */
export type Prober = (plan: ProbePlan, address: ProbeAddress) => RunningProbe;

/** Time that a probe has where its record says 0. */
export const probeTimeoutMaxMs = 60_000;

/**
 * The plan that a record makes.
 * @param judgement what its statuses mean
 * @param tls how requests meet the upstream; certificates that those take unseen, probes do not judge
 */
export function probePlan(
  record: ActiveCheckRecord,
  judgement: Judgement,
  hostHeader: string | undefined,
  tls?: UpstreamTls,
): ProbePlan {
  return {
    type: record.type,
    timeoutMs: record.timeout === 0 ? probeTimeoutMaxMs : record.timeout * 1000,
    path: record.http_path,
    headers: record.headers,
    hostHeader,
    sni: record.https_sni ?? (hostHeader === undefined ? undefined : hostWithoutPort(hostHeader)),
    verifiesCertificate: record.https_verify_certificate && tls?.verify !== false,
    tls,
    judgement,
  };
}

/** `host` of a probe: a field of the record, the upstream's, or the target's own name with its port. */
export function probeAuthority(plan: ProbePlan, { name, port }: ProbeAddress): string {
  const own = Object.entries(plan.headers).find(([field]) => field.toLowerCase() === 'host')?.[1][0];
  const bracketed = name.includes(':') && !name.startsWith('[') ? `[${name}]` : name;
  return own ?? plan.hostHeader ?? `${bracketed}:${port}`;
}
