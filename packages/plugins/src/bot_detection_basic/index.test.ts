import { describe, expect, it } from 'vitest';
import { mistakesOf } from '../testing/bad-configs.ts';
import { PluginBench, problemOf } from '../testing/plugin-bench.ts';
import { botDetectionBasic } from './index.ts';
import { USER_AGENT_LENGTH_MAX, userAgentRules, VERDICTS_MAX } from './user-agent-rules.ts';

const goodAlone = { allow_user_agents: ['^Good'] };
const deny = { user_agent_deny_patterns: ['crawl(er)?', '^curl/'] };

async function ask(config: object, headers: readonly string[]) {
  const reasons: unknown[] = [];
  const silent = () => undefined;
  const log = {
    debug: (_: string, details?: object) => void reasons.push((details as { reason: string }).reason),
    warn: silent,
    error: silent,
  };
  const { result, exchange } = await new PluginBench(botDetectionBasic, config, { log }).request({ headers });
  return { exchange, outcome: result === 'continue' ? 'passes' : reasons.at(-1) };
}

const agent = (...lines: string[]) => lines.flatMap((line) => ['User-Agent', line]);

describe('bot_detection_basic', () => {
  it.each([
    ['a deny pattern within it', deny, agent('my Crawler/1.0'), 'denied_user_agent'],
    ['no deny pattern', deny, agent('Mozilla/5.0 (KHTML, like Gecko)'), 'passes'],
    ['an anchored pattern elsewhere', deny, agent('libcurl/8'), 'passes'],
    ['an anchored pattern at its start', deny, agent('curl/8.5.0'), 'denied_user_agent'],
    ['another case', deny, agent('CURL/8'), 'denied_user_agent'],
    ['another case where it counts', { ...deny, case_sensitive: true }, agent('CURL/8'), 'passes'],
    ['its own case where it counts', { ...deny, case_sensitive: true }, agent('curl/8'), 'denied_user_agent'],
    [
      'an allow pattern beside a deny pattern',
      { ...deny, allow_user_agents: ['^Good'] },
      agent('Goodcrawler'),
      'passes',
    ],
    [
      'an allow pattern that is not found',
      { ...deny, allow_user_agents: ['^Good'] },
      agent('crawler'),
      'denied_user_agent',
    ],
    ...['allow_user_agents', 'allowed_user_agents', 'user_agent_allow_patterns'].map(
      (field): [string, object, string[], string] => [
        `${field} without a deny pattern`,
        { [field]: ['^Good'] },
        agent('Bad'),
        'user_agent_not_allowed',
      ],
    ),
    ['a name of a list of allowed ones', goodAlone, agent('Goodbot/2'), 'passes'],
    ['no header where names are allowed', goodAlone, [], 'missing_user_agent'],
    ['an empty header where names are allowed', goodAlone, agent(' '), 'empty_user_agent'],
    ['a second name that is not allowed', goodAlone, agent('Good', 'Bad'), 'user_agent_not_allowed'],
    ['a name without end beside an allow list', goodAlone, agent(`Good${'d'.repeat(1024)}`), 'user_agent_too_long'],
    ['no header where that is said to be fine', { ...goodAlone, block_missing_user_agent: false }, [], 'passes'],
    ['an empty one where that is fine', { ...goodAlone, block_empty_user_agent: false }, agent(''), 'passes'],
    ['any name that no pattern is about', { block_missing_user_agent: true }, agent('anything'), 'passes'],
    ['blocked_user_agents', { ...deny, blocked_user_agents: ['wget'] }, agent('Wget/1'), 'denied_user_agent'],
    ['deny_user_agents', { ...deny, deny_user_agents: ['wget'] }, agent('Wget/1'), 'denied_user_agent'],
    [
      'user_agent_deny_patterns beside the others',
      { ...deny, deny_user_agents: ['wget'] },
      agent('curl/8'),
      'denied_user_agent',
    ],
    ['allowed_user_agents', { ...deny, allowed_user_agents: ['ok'] }, agent('crawler ok'), 'passes'],
    ['user_agent_allow_patterns', { ...deny, user_agent_allow_patterns: ['ok'] }, agent('crawler ok'), 'passes'],
    [
      'the second of two headers',
      { ...deny, allow_user_agents: ['^Good'] },
      agent('Good', 'curl/8'),
      'denied_user_agent',
    ],
    ['the first of two headers', deny, agent('curl/8', 'Mozilla'), 'denied_user_agent'],
    ['two headers that pass', deny, agent('Mozilla', 'Firefox'), 'passes'],
    ['another header', { ...deny, header_name: 'X-Agent' }, [...agent('curl/8'), 'x-agent', 'Mozilla'], 'passes'],
    ['the configured header', { ...deny, header_name: 'X-Agent' }, ['x-agent', 'curl/8'], 'denied_user_agent'],
    ['no header', { block_missing_user_agent: true }, [], 'missing_user_agent'],
    ['no header where that is fine', deny, [], 'passes'],
    ['an empty header, when one must be there', { block_missing_user_agent: true }, agent(''), 'passes'],
    ['an empty header', { block_empty_user_agent: true }, agent(''), 'empty_user_agent'],
    ['spaces', { block_empty_user_agent: true }, agent(' \t '), 'empty_user_agent'],
    ['no header, when it must not be empty', { block_empty_user_agent: true }, [], 'passes'],
    ['an empty header where that is fine', deny, agent(''), 'passes'],
    ['the longest text', deny, agent('a'.repeat(USER_AGENT_LENGTH_MAX)), 'passes'],
    ['a text that is too long', deny, agent('a'.repeat(USER_AGENT_LENGTH_MAX + 1)), 'user_agent_too_long'],
    [
      'a text of 64 KiB with an allowed start',
      { ...deny, allow_user_agents: ['^a'] },
      agent('a'.repeat(65_536)),
      'user_agent_too_long',
    ],
    [
      'a text of 64 KiB where no pattern refuses',
      { block_missing_user_agent: true },
      agent('a'.repeat(65_536)),
      'passes',
    ],
    [
      'flags and quotes that end within their pattern',
      { deny_user_agents: ['\\Qa.b', '(?-i)x|y'] },
      agent('axb'),
      'denied_user_agent',
    ],
    ['a quoted pattern', { deny_user_agents: ['\\Qa.b', '^c$'] }, agent('A.B'), 'denied_user_agent'],
    ['letters beyond ASCII', { deny_user_agents: ['größe'] }, agent('GRÖSSE größe'), 'denied_user_agent'],
  ])('%s', async (_name, config, headers, outcome) => {
    expect((await ask(config, headers)).outcome).toBe(outcome);
  });

  it('says the configured status and message, and not which pattern it was', async () => {
    const first = (await ask(deny, agent('curl/8'))).exchange;
    expect(problemOf(first)).toMatchObject({
      status: 403,
      code: 'forbidden',
      detail: 'this client may not send this request',
      request_id: 'r1',
    });
    expect(JSON.stringify(problemOf(first))).not.toMatch(/curl|crawl|pattern/);
    const other = (await ask({ ...deny, status_code: 429, message: 'slow down' }, agent('curl/8'))).exchange;
    expect([other.response.status, problemOf(other)]).toMatchObject([429, { status: 429, detail: 'slow down' }]);
  });

  it('gives a User-Agent that it has seen the same verdict, also when others were seen since', () => {
    const rules = userAgentRules({
      ...deny,
      case_sensitive: false,
      header_name: 'a',
      message: 'm',
      status_code: 403,
    });
    const verdicts = () => ['curl/8', 'Mozilla', 'my crawler'].map((line) => rules([line]));
    const first = verdicts();
    expect(verdicts()).toEqual(first);
    for (let other = 0; other <= VERDICTS_MAX; other += 1) rules([`agent ${other}`]);
    expect(verdicts()).toEqual(first);
    expect(first).toEqual(['denied_user_agent', undefined, 'denied_user_agent']);
  });

  it.each([
    ['nothing', {}, [/^: needs at least one of/]],
    ['an empty list to deny', { deny_user_agents: [] }, [/^\/deny_user_agents: must not be empty/]],
    [
      'an empty list to allow',
      { ...deny, user_agent_allow_patterns: [] },
      [/^\/user_agent_allow_patterns: must not be empty/],
    ],
    [
      'a flag alone that refuses nobody',
      { block_missing_user_agent: false },
      [/^\/block_missing_user_agent: refuses nobody/],
    ],
    [
      'two flags that refuse nobody',
      { block_empty_user_agent: false, block_missing_user_agent: false },
      [/^\/block_empty_user_agent: refuses/, /^\/block_missing_user_agent: refuses/],
    ],
    ['a text in place of a list', { deny_user_agents: 'curl' }, [/^\/deny_user_agents: must be a list/]],
    ['an empty pattern', { deny_user_agents: [''] }, [/^\/deny_user_agents\/0: must have at least 1/]],
    ['a pattern that does not end', { deny_user_agents: ['ok', '(a'] }, [/^\/deny_user_agents\/1: .*RE2 syntax/]],
    ['look-around', { allow_user_agents: ['(?=a)'] }, [/^\/allow_user_agents\/0: .*without look-around/]],
    [
      'a back reference',
      { user_agent_deny_patterns: ['(a)\\1'] },
      [/^\/user_agent_deny_patterns\/0: .*back references/],
    ],
    [
      'mistakes in several fields',
      { blocked_user_agents: ['['], allowed_user_agents: ['*'] },
      [/^\/allowed_user_agents\/0: /, /^\/blocked_user_agents\/0: /],
    ],
    [
      'a pattern that repeats too much',
      { deny_user_agents: ['a{900}', 'b{900}'] },
      [/^\/deny_user_agents\/0: repeats too much/, /^\/deny_user_agents\/1: repeats/],
    ],
    [
      'a pattern of a thousand million copies',
      { deny_user_agents: ['((a{1000}){1000}){1000}'] },
      [/^\/deny_user_agents\/0: /],
    ],
    [
      'patterns that are too much together',
      { deny_user_agents: Array.from({ length: 1000 }, (_, at) => `word number ${at} and more`) },
      [/^\/deny_user_agents\/\d+: is too much: all patterns together/],
    ],
    [
      'a pattern without end',
      { deny_user_agents: ['a'.repeat(257)] },
      [/^\/deny_user_agents\/0: must have at most 256/],
    ],
    [
      'too many patterns',
      { deny_user_agents: Array.from({ length: 1001 }, () => 'a') },
      [/^\/deny_user_agents: must have at most 1000/],
    ],
    ['a status that is no refusal', { ...deny, status_code: 200 }, [/^\/status_code: must be at least 400/]],
    ['a header that is none', { ...deny, header_name: 'User Agent' }, [/^\/header_name: must be a header name/]],
    ['a flag that is none', { block_empty_user_agent: 'yes' }, [/^\/block_empty_user_agent: must be true or false/]],
  ])('refuses a config with %s', (_name, config, mistakes) => {
    expect(mistakesOf(botDetectionBasic, config)).toEqual(
      mistakes.map((mistake) => expect.stringMatching(mistake) as unknown),
    );
  });
});
