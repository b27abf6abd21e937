import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../testing/any-text.ts';
import { SEARCH_ENTRY, answerOf, attributesOf } from './answers.ts';
import { SEQUENCE, element, elementsOf, integer, numberOf, octets } from './ber.ts';
import { MESSAGE_BYTES_MAX, MessageBuffer } from './message-buffer.ts';
import { START_TLS, bindRequest, entryRequest, message } from './requests.ts';

describe('requests', () => {
  it.each([
    // The octets of RFC 4511 by hand: each length counts what follows.
    ['a bind', message(1, bindRequest('cn=a', 'pw')), '3012 020101 600d 020103 0404636e3d61 80027077'],
    ['StartTLS', message(2, START_TLS), '301d 020102 7718 8016 312e332e362e312e342e312e313436362e3230303337'],
    [
      'a search',
      message(300, entryRequest('cn=a', ['mail'], 5)),
      '3030 0202012c 632a 0404636e3d61 0a0100 0a0100 020101 020105 010100 870b6f626a656374436c617373 3006 04046d61696c',
    ],
  ])('are written as the standard has it: %s', (_name, bytes, hex) => {
    expect(bytes.toString('hex')).toBe(hex.replaceAll(' ', ''));
  });

  it('carry numbers and texts of any length', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 1), anyText({ maxLength: 70_000 }), (number, text) => {
        const [first, second] = elementsOf(Buffer.concat([integer(number), octets(text)]));
        expect(first === undefined ? undefined : numberOf(first)).toBe(number);
        expect(second?.content.equals(Buffer.from(text))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});

describe('messages', () => {
  it('come whole, wherever the network cuts them', () => {
    const first = message(1, octets('x'.repeat(300)));
    const stream = Buffer.concat([first, message(2, octets('y'))]);
    for (let cut = 0; cut <= stream.length; cut += 1) {
      const buffer = new MessageBuffer();
      const taken: (Buffer | undefined)[] = [];
      for (const chunk of [stream.subarray(0, cut), stream.subarray(cut)]) {
        buffer.add(chunk);
        for (let content = buffer.take(); content !== undefined; content = buffer.take()) taken.push(content);
      }
      expect(taken.map((content) => content?.length)).toEqual([first.length - 4, 6]);
      expect(buffer.isEmpty).toBe(true);
    }
  });

  it('are refused as soon as their head is wrong or announces too much', () => {
    const add = (hex: string) => () => {
      const buffer = new MessageBuffer();
      buffer.add(Buffer.from(hex, 'hex'));
      return buffer.take();
    };
    expect(add(`3083${(MESSAGE_BYTES_MAX + 1).toString(16).padStart(6, '0')}`)).toThrow('too long');
    expect(add('4854')).toThrow('no LDAP');
    expect(add('3080')).toThrow('indefinite');
    expect(add('30850000000001')).toThrow('too many octets');
    expect([add('30')(), add('3084ff')()]).toEqual([undefined, undefined]);
  });

  it('of any octets are read or refused, and never more', () => {
    const outcome = (bytes: Uint8Array): string => {
      try {
        const answer = answerOf(Buffer.from(bytes));
        attributesOf(answer);
        return 'read';
      } catch (error) {
        return (error as Error).name;
      }
    };
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => ['read', 'MalformedMessage'].includes(outcome(bytes))),
    );
    const entry = element(
      SEARCH_ENTRY,
      octets('cn=a'),
      element(SEQUENCE, element(SEQUENCE, octets('CN'), element(0x31, octets('é'), octets('2')))),
    );
    const content = Buffer.concat([integer(7), entry]);
    expect([...attributesOf(answerOf(content))]).toEqual([['cn', ['é', '2']]]);
    for (let cut = 0; cut < content.length; cut += 1)
      expect(outcome(content.subarray(0, cut))).toBe('MalformedMessage');
  });
});
