import type { Violation } from '../schemas/schema-checks.ts';
import type { BodyFault } from '../../shared/bodies/body-problems.ts';

/** Where in a message a rule is broken. */
export type IssuePlace = 'method' | 'path' | 'query' | 'header' | 'cookie' | 'body' | 'status';

/** The first rule that a message breaks. It says names and places, and no value. */
export interface ContractIssue {
  readonly in: IssuePlace;
  /** Of the parameter or header. */
  readonly name?: string;
  /** JSON Pointer into the body or the parameter's value. */
  readonly pointer?: string;
  /** A keyword of JSON Schema, or one of `described`, `required`, `content_type`, `readable`, `size`, `unique_names`, `complexity`. */
  readonly rule: string;
  readonly message: string;
}

/** What is wrong with a message: a rule that it breaks, or a body that could not be read. */
export type MessageFault = ContractIssue | { readonly fault: BodyFault };

/** A broken schema as an issue. */
export function issueOf(place: IssuePlace, { pointer, rule, message }: Violation, name?: string): ContractIssue {
  return { in: place, ...(name === undefined ? {} : { name }), pointer, rule, message };
}
