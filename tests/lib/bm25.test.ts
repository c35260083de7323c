// rankTexts and findTool: what a model asks for in its own words, and the two spellings of a tool.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { rankTexts, wordsOf } from '../../src/lib/bm25.ts';
import { findTool } from '../../src/lib/tool-name.ts';

const tools = [
  { strong: 'github_create_issue', text: 'Create a new issue in a repository. title body labels' },
  { strong: 'github_list_pull_requests', text: 'List pull requests of a repository. state' },
  { strong: 'fs_read_file', text: 'Read the complete contents of a file. path' },
  { strong: 'fs_write_file', text: 'Create a new file or overwrite an existing one. path content' },
  { strong: 'slack_postMessage', text: 'Post a message to a channel' },
  { strong: 'kb_search', text: '知識ベースを検索します。 query' },
];

test.each([
  ['create issue', 'github_create_issue'],
  ['issues', 'github_create_issue'],
  ['open PRs pull request', 'github_list_pull_requests'],
  ['read files', 'fs_read_file'],
  ['post message', 'slack_postMessage'],
  ['overwriting', 'fs_write_file'],
  ['検索', 'kb_search'],
  ['GITHUB', 'github_create_issue'],
])('%s', (query, best) => {
  expect(tools[rankTexts(query, tools)[0]?.index ?? -1]?.strong).toBe(best);
});

test('what has none of the words is not there, and nothing breaks', () => {
  expect(rankTexts('zebra', tools)).toEqual([]);
  expect(rankTexts('', tools)).toEqual([]);
  expect(rankTexts('file', [])).toEqual([]);
  fc.assert(fc.property(fc.string({ unit: 'binary' }), fc.array(fc.record({ text: fc.string({ unit: 'binary' }), strong: fc.string() }), { maxLength: 5 }), (query, texts) => {
    const ranked = rankTexts(query, texts);
    expect(ranked.map(({ score }) => score)).toEqual(ranked.map(({ score }) => score).sort((a, b) => b - a));
    for (const { index, score } of ranked) { expect(texts[index]).toBeDefined(); expect(score).toBeGreaterThan(0); }
  }));
});

test('names are taken apart', () => {
  expect(wordsOf('getHTTPResponse_for-user2.files')).toEqual(['get', 'http', 'response', 'for', 'user2', 'file']);
});

test('a tool is found in either spelling', () => {
  const all = [{ name: 'mcp_my_server_do_it' }, { name: 'mcp_a_b' }, { name: 'Bash' }];
  expect(['mcp_a_b', 'mcp__a__b', 'mcp__my.server__do_it', 'Bash', 'mcp__a__c'].map((name) => findTool(all, name)?.name)).toEqual(['mcp_a_b', 'mcp_a_b', 'mcp_my_server_do_it', 'Bash', undefined]);
});
