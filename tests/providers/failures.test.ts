// Failures: what services, SDKs and sockets throw, by kind and by what the user is told.
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/providers/clock.ts';
import { failureOf } from '../../src/providers/failures.ts';

const about = { service: 'Acme', url: 'https://api.acme.example/v1/chat/completions', model: 'm-1', apiKey: 'sk-acme-1234567890abcdef', keyHint: 'Set ACME_KEY.' };
const clock = { ...systemClock, now: () => Date.parse('2026-11-21T08:00:00Z') };
const name = (thrown: unknown) => failureOf(thrown, about, clock);

/** As the SDKs throw a status: the body under `error`. */
const status = (code: number, error: unknown, headers: Record<string, string> = {}) => Object.assign(new Error(`${code} status code`), { status: code, error, headers: new Headers(headers) });

describe('by status and text', () => {
  test.each([
    [401, { message: 'Incorrect API key provided: sk-acme-1234567890abcdef.' }, 'auth', 'Acme did not accept the API key: Incorrect API key provided: ••••cdef. Set ACME_KEY.'],
    [403, { error: { message: 'No access' } }, 'auth', 'Acme does not let this key use m-1: No access. Set ACME_KEY.'],
    [402, { message: 'Insufficient Balance' }, 'auth', 'Acme says that the account has no credit left: Insufficient Balance. Top it up, or choose another provider.'],
    [429, { code: 'insufficient_quota', message: 'You exceeded your current quota: insufficient_quota' }, 'auth', 'Acme says that the account has no credit left: You exceeded your current quota: insufficient_quota. Top it up, or choose another provider.'],
    [404, 'model "m-1" not found', 'invalid_request', 'Acme knows no m-1 at https://api.acme.example/v1/chat/completions: model "m-1" not found. Check model and base_url.'],
    [400, { message: 'max_tokens: Extra inputs\n  are not permitted' }, 'invalid_request', 'Acme did not accept the request: max_tokens: Extra inputs are not permitted. Check model, extra and base_url.'],
    [422, { detail: 'roles must alternate' }, 'invalid_request', 'Acme did not accept the request: roles must alternate. Check model, extra and base_url.'],
    [400, { message: 'flagged by content_filter' }, 'content_filter', 'The content filter of Acme refused the request: flagged by content_filter. Say it differently.'],
    [429, { message: 'Slow down' }, 'rate_limit', 'Acme limits how often it may be asked: Slow down. Wait a little, or choose another model.'],
    [529, { error: { type: 'overloaded_error', message: 'Overloaded' } }, 'overloaded', 'Acme is overloaded: Overloaded. Try again later, or choose another model.'],
    [500, undefined, 'server', 'Acme failed to answer (status 500): 500 status code. Try again later.'],
    [504, { error: {} }, 'server', 'Acme failed to answer (status 504): 504 status code. Try again later.'],
  ])('%i %j is %s', (code, body, kind, message) => {
    expect(name(status(code, body))).toEqual({ kind, message, status: code });
  });

  test.each([
    'prompt is too long: 205123 tokens > 200000 maximum',
    "This model's maximum context length is 1048576 tokens. However, you requested 2000000 tokens.",
    'Your input exceeds the context window of this model.',
    'Prompt exceeds max length',
    'litellm.ContextWindowExceededError: OpenAIException - too long',
    'prompt token count of 129013 exceeds the limit of 128000',
  ])('a full window: %s', (message) => {
    expect(name(status(400, { message })).kind).toBe('context_overflow');
  });

  test.each([[400, '1261'], [413, 'request_too_large']])('a full window by its code: %i %s', (at, code) => {
    expect(name(Object.assign(status(at, { message: 'x' }), { code })).kind).toBe('context_overflow');
  });
});

describe('in mid-stream, by code', () => {
  test.each([
    ['overloaded_error', 'overloaded'], ['rate_limit_exceeded', 'rate_limit'], ['api_error', 'server'], ['server_error', 'server'], ['authentication_error', 'auth'],
    ['invalid_request_error', 'invalid_request'], ['context_length_exceeded', 'context_overflow'], ['1302', 'rate_limit'], ['429', 'rate_limit'], ['502', 'server'], ['', 'server'],
  ])('%s is %s', (code, kind) => {
    expect(name(Object.assign(new Error('It broke'), { code })).kind).toBe(kind);
  });
});

/** As the SDKs throw a socket's error. */
const wrapped = (code: string) => Object.assign(new Error('Connection error.'), { cause: Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('x'), { code }) }) });

describe('sockets', () => {
  test.each([
    ['ECONNREFUSED', 'network', 'Nothing answers at https://api.acme.example/v1/chat/completions. Is it running? Check base_url.'],
    ['ENOTFOUND', 'network', "The host api.acme.example can't be found. Check the network and base_url."],
    ['ECONNRESET', 'network', 'The connection to api.acme.example broke off (ECONNRESET). Check the network, or try again.'],
    ['UND_ERR_SOCKET', 'network', 'The connection to api.acme.example broke off (UND_ERR_SOCKET). Check the network, or try again.'],
    ['UND_ERR_CONNECT_TIMEOUT', 'timeout', 'Acme did not answer in time at api.acme.example. Check the network, or try again.'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'network', 'There is no safe connection to api.acme.example (SELF_SIGNED_CERT_IN_CHAIN). Check base_url, or name your certificate authority in NODE_EXTRA_CA_CERTS.'],
  ])('%s', (code, kind, message) => {
    expect(name(wrapped(code))).toEqual({ kind, message });
  });
});

describe('how long to wait', () => {
  test.each([
    [{ 'retry-after': '7' }, 7_000], [{ 'retry-after': '1.5' }, 1_500], [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after': 'Sat, 21 Nov 2026 08:00:30 GMT' }, 30_000], [{ 'retry-after': 'Sat, 21 Nov 2026 07:00:00 GMT' }, 0], [{ 'retry-after': 'soon' }, undefined], [{}, undefined],
  ])('%j is %s ms', (headers, ms) => {
    expect(name(status(429, { message: 'x' }, headers as Record<string, string>)).retryAfterMs).toBe(ms);
  });
});
