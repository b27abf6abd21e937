import { SendError } from '../../shared/sinks/record-sender.ts';
import type { KafkaLibrary } from './topic-producer.ts';

/**
 * Answers of brokers that stay the same however often the same messages are sent. Source: Kafka protocol guide, "Error Codes".
 */
const FINAL: ReadonlyMap<number, string> = new Map([
  [10, 'MESSAGE_TOO_LARGE'],
  [17, 'INVALID_TOPIC_EXCEPTION'],
  [18, 'RECORD_LIST_TOO_LARGE'],
  [21, 'INVALID_REQUIRED_ACKS'],
  [29, 'TOPIC_AUTHORIZATION_FAILED'],
  [31, 'CLUSTER_AUTHORIZATION_FAILED'],
  [35, 'UNSUPPORTED_VERSION'],
  [43, 'UNSUPPORTED_FOR_MESSAGE_FORMAT'],
  [44, 'POLICY_VIOLATION'],
  [76, 'UNSUPPORTED_COMPRESSION_TYPE'],
  [87, 'INVALID_RECORD'],
]);

/** What an operator is told of a failed sending: the broker's word where there is one, and never an address. */
export function refusalOf(error: unknown, { findErrorBy }: KafkaLibrary): SendError {
  if (error instanceof SendError || !(error instanceof Error)) {
    return error instanceof SendError ? error : new SendError('the records were not sent', true, { cause: error });
  }
  for (const [code, name] of FINAL)
    if (findErrorBy(error, 'apiCode', code) !== null)
      return new SendError(`the brokers refuse the records: ${name}`, false, { cause: error });
  return new SendError('the brokers did not take the records', true, { cause: error });
}
