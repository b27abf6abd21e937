import type { Exchange, PluginResponse } from '@portcullis/plugin-runtime';
import { problemAnswer } from '../shared/problem.ts';
import type { ContractIssue, MessageFault } from './operations/issue.ts';

/** The fields of a config that say how answers look. */
export interface AnswerSettings {
  readonly status_code: number;
  readonly response_status_code: number;
  readonly error_header?: string | undefined;
}

/** Answers to messages that are not as described. */
export interface ContractAnswers {
  readonly toRequest: (exchange: Exchange, fault: MessageFault) => PluginResponse;
  /** Says the client nothing of what is wrong, which is between the operator and the service; `error_header` does, where it is set. */
  readonly toResponse: (exchange: Exchange, fault: MessageFault) => PluginResponse;
}

/** A body that could not be read breaks the rule that it is readable. */
export function issueOfFault(fault: MessageFault): ContractIssue {
  return 'fault' in fault
    ? {
        in: 'body',
        rule: fault.fault === 'too_large' || fault.fault === 'too_complex' ? 'size' : 'readable',
        message: MESSAGES[fault.fault],
      }
    : fault;
}

/** Makes them for an instance. */
export function contractAnswers(settings: AnswerSettings): ContractAnswers {
  const { status_code: status, response_status_code: responseStatus, error_header: header } = settings;
  const code = 'contract_violation';
  const title = 'Not as described';
  const request = problemAnswer({ status, code, title, detail: 'The request is not as its description has it' });
  const large = problemAnswer({
    status: 413,
    code: 'body_too_large',
    title: 'Body too large',
    detail: 'The body is too large',
  });
  const upstream = problemAnswer({
    status: responseStatus,
    code: 'upstream_contract_violation',
    title: 'Bad gateway',
    detail: "The service's answer is not as its description has it",
  });
  const headersFor = (issue: ContractIssue) => (header === undefined ? undefined : [header, headerText(issue)]);
  return {
    toRequest: (exchange, fault) => {
      const issue = issueOfFault(fault);
      const answer = (issue.rule === 'size' ? large : request)(exchange, headersFor(issue));
      return { ...answer, body: withErrors(String(answer.body), issue) };
    },
    toResponse: (exchange, fault) => upstream(exchange, headersFor(issueOfFault(fault))),
  };
}

const MESSAGES: Readonly<Record<Extract<MessageFault, { fault: unknown }>['fault'], string>> = {
  too_large: 'is too large',
  too_complex: 'is too complex',
  encoding: 'is coded in a way that is not read here',
  charset: 'must be UTF-8',
  types: 'has several content types',
  broken: 'is not coded as content-encoding says',
  not_utf8: 'must be UTF-8',
  malformed: 'is not what its content type says',
  ambiguous: 'has an object with a name twice',
};

function withErrors(body: string, issue: ContractIssue): string {
  return `${body.slice(0, -1)},"errors":[${JSON.stringify(issue)}]}`;
}

/** Longest text of the header, in characters. */
const HEADER_TEXT_LENGTH_MAX = 256;

/** Names are the client's: what a header cannot have is left out. */
function headerText({ in: place, name, pointer, rule }: ContractIssue): string {
  const parts = [place, name, pointer, rule].filter((part) => part !== undefined && part !== '');
  return parts
    .join(' ')
    .replaceAll(/[^\x20-\x7E]/g, '?')
    .slice(0, HEADER_TEXT_LENGTH_MAX);
}
