// Makes the bytes that a model service would stream for a scripted answer, for each of the three APIs.

export type Api = 'messages' | 'responses' | 'chat';

/** A piece of an answer. A call's `raw` replaces the text of its arguments (broken JSON). */
export type Piece =
  | { text: string }
  | { thinking: string; signature?: string }
  | { redacted: string }
  | { call: string; input?: unknown; raw?: string; id?: string };

/** An answer: its pieces in order, how it stops (calls: `tools`, else `end`) and what it says it cost. */
export type Answer = {
  say: readonly Piece[];
  stop?: 'end' | 'tools' | 'max_tokens' | 'refusal' | 'pause';
  usage?: { input?: number; output?: number; cacheRead?: number; cacheWrite?: number; reasoning?: number };
  /** Sent in place of the ending, as the API spells errors in mid-stream. */
  error?: { code: string; message: string };
};

/** Ids count from this: `toolu_2_1` is the second piece of the third answer. */
type Numbered = { serial: number; model: string };

/** The whole stream of `answer` as `api` has it. */
export function sseBytes(api: Api, answer: Answer, options: Partial<Numbered> = {}): string {
  const numbered = { serial: options.serial ?? 0, model: options.model ?? 'test-model' };
  switch (api) {
    case 'messages': return messages(answer, numbered);
    case 'responses': return responses(answer, numbered);
    case 'chat': return chat(answer, numbered);
  }
}

/** Words with the blank before them, as services stream them; arguments in pieces of nine characters. */
const words = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [];
const shreds = (text: string): string[] => text.match(/[\s\S]{1,9}/g) ?? [];
const argumentsOf = (piece: { input?: unknown; raw?: string }): string => piece.raw ?? JSON.stringify(piece.input ?? {});
const called = (answer: Answer): boolean => answer.say.some((piece) => 'call' in piece);
const amounts = (answer: Answer) => ({ input: 100, output: 20, cacheRead: 0, cacheWrite: 0, reasoning: 0, ...answer.usage });

const named = (type: string, data: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
const plain = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

function messages(answer: Answer, { serial, model }: Numbered): string {
  const usage = amounts(answer);
  const input = { input_tokens: usage.input, cache_creation_input_tokens: usage.cacheWrite, cache_read_input_tokens: usage.cacheRead };
  const message = { id: `msg_${serial}`, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, usage: { ...input, output_tokens: 1 } };
  let bytes = named('message_start', { message }) + named('ping', {});
  answer.say.forEach((piece, index) => {
    const block = (content_block: object, deltas: object[]): string =>
      named('content_block_start', { index, content_block }) + deltas.map((delta) => named('content_block_delta', { index, delta })).join('') + named('content_block_stop', { index });
    if ('text' in piece) bytes += block({ type: 'text', text: '' }, words(piece.text).map((text) => ({ type: 'text_delta', text })));
    else if ('thinking' in piece) {
      const deltas = words(piece.thinking).map((thinking) => ({ type: 'thinking_delta', thinking }));
      bytes += block({ type: 'thinking', thinking: '', signature: '' }, [...deltas, { type: 'signature_delta', signature: piece.signature ?? `sig_${serial}_${index}` }]);
    } else if ('redacted' in piece) bytes += block({ type: 'redacted_thinking', data: piece.redacted }, []);
    else {
      const deltas = ['', ...shreds(argumentsOf(piece))].map((partial_json) => ({ type: 'input_json_delta', partial_json }));
      bytes += block({ type: 'tool_use', id: piece.id ?? `toolu_${serial}_${index}`, name: piece.call, input: {} }, deltas);
    }
  });
  if (answer.error) return bytes + named('error', { error: { type: answer.error.code, message: answer.error.message } });
  const stop = { end: 'end_turn', tools: 'tool_use', max_tokens: 'max_tokens', refusal: 'refusal', pause: 'pause_turn' }[answer.stop ?? (called(answer) ? 'tools' : 'end')];
  const final = { ...input, output_tokens: usage.output, ...(usage.reasoning ? { output_tokens_details: { thinking_tokens: usage.reasoning } } : {}) };
  return bytes + named('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: final }) + named('message_stop', {});
}

function responses(answer: Answer, { serial, model }: Numbered): string {
  let sequence = 0;
  const event = (type: string, data: object): string => named(type, { sequence_number: sequence++, ...data });
  const output: object[] = [];
  const response = (status: string, extra: object = {}) => ({ id: `resp_${serial}`, object: 'response', created_at: 1_795_000_000, status, model, output, error: null, incomplete_details: null, usage: null, ...extra });
  let bytes = event('response.created', { response: response('in_progress') }) + event('response.in_progress', { response: response('in_progress') });
  answer.say.forEach((piece, output_index) => {
    const where = (item_id: string) => ({ item_id, output_index });
    const done = (item: object): void => { output.push(item); bytes += event('response.output_item.done', { output_index, item }); };
    if ('text' in piece) {
      const id = `msg_${serial}_${output_index}`;
      const part = { type: 'output_text', text: piece.text, annotations: [] };
      const phase = called(answer) ? 'commentary' : 'final_answer';
      bytes += event('response.output_item.added', { output_index, item: { id, type: 'message', role: 'assistant', status: 'in_progress', content: [], phase } });
      bytes += event('response.content_part.added', { ...where(id), content_index: 0, part: { ...part, text: '' } });
      for (const delta of words(piece.text)) bytes += event('response.output_text.delta', { ...where(id), content_index: 0, delta, logprobs: [] });
      bytes += event('response.output_text.done', { ...where(id), content_index: 0, text: piece.text, logprobs: [] }) + event('response.content_part.done', { ...where(id), content_index: 0, part });
      done({ id, type: 'message', role: 'assistant', status: 'completed', content: [part], phase });
    } else if ('thinking' in piece || 'redacted' in piece) {
      const id = `rs_${serial}_${output_index}`;
      const text = 'thinking' in piece ? piece.thinking : '';
      const encrypted_content = 'redacted' in piece ? piece.redacted : (piece.signature ?? `enc_${serial}_${output_index}`);
      bytes += event('response.output_item.added', { output_index, item: { id, type: 'reasoning', summary: [], encrypted_content: 'unfinished' } });
      if (text !== '') {
        bytes += event('response.reasoning_summary_part.added', { ...where(id), summary_index: 0, part: { type: 'summary_text', text: '' } });
        for (const delta of words(text)) bytes += event('response.reasoning_summary_text.delta', { ...where(id), summary_index: 0, delta });
        bytes += event('response.reasoning_summary_text.done', { ...where(id), summary_index: 0, text }) + event('response.reasoning_summary_part.done', { ...where(id), summary_index: 0, part: { type: 'summary_text', text } });
      }
      done({ id, type: 'reasoning', summary: text === '' ? [] : [{ type: 'summary_text', text }], encrypted_content });
    } else {
      const id = `fc_${serial}_${output_index}`;
      const item = { id, type: 'function_call', call_id: piece.id ?? `call_${serial}_${output_index}`, name: piece.call };
      const text = argumentsOf(piece);
      bytes += event('response.output_item.added', { output_index, item: { ...item, status: 'in_progress', arguments: '' } });
      for (const delta of shreds(text)) bytes += event('response.function_call_arguments.delta', { ...where(id), delta });
      bytes += event('response.function_call_arguments.done', { ...where(id), name: piece.call, arguments: text });
      done({ ...item, status: 'completed', arguments: text });
    }
  });
  if (answer.error) {
    const error = { code: answer.error.code, message: answer.error.message };
    return bytes + event('error', { ...error, param: null }) + event('response.failed', { response: response('failed', { error }) });
  }
  const used = amounts(answer);
  const usage = {
    input_tokens: used.input + used.cacheRead + used.cacheWrite,
    input_tokens_details: { cached_tokens: used.cacheRead, cache_write_tokens: used.cacheWrite },
    output_tokens: used.output,
    output_tokens_details: { reasoning_tokens: used.reasoning },
    total_tokens: used.input + used.cacheRead + used.cacheWrite + used.output,
  };
  const reasons: Record<string, string> = { max_tokens: 'max_output_tokens', refusal: 'content_filter' };
  const reason = reasons[answer.stop ?? ''];
  const status = reason === undefined ? 'completed' : 'incomplete';
  return bytes + event(`response.${status}`, { response: response(status, { usage, incomplete_details: reason === undefined ? null : { reason } }) });
}

function chat(answer: Answer, { serial, model }: Numbered): string {
  const base = { id: `chatcmpl-${serial}`, object: 'chat.completion.chunk', created: 1_795_000_000, model };
  const chunk = (delta: object, finish_reason: string | null = null): string => plain({ ...base, choices: [{ index: 0, delta, logprobs: null, finish_reason }] });
  let bytes = chunk({ role: 'assistant', content: '' });
  let calls = 0;
  answer.say.forEach((piece, place) => {
    if ('text' in piece) for (const content of words(piece.text)) bytes += chunk({ content });
    else if ('thinking' in piece) for (const reasoning_content of words(piece.thinking)) bytes += chunk({ reasoning_content });
    else if ('call' in piece) {
      const index = calls++;
      bytes += chunk({ tool_calls: [{ index, id: piece.id ?? `call_${serial}_${place}`, type: 'function', function: { name: piece.call, arguments: '' } }] });
      for (const text of shreds(argumentsOf(piece))) bytes += chunk({ tool_calls: [{ index, function: { arguments: text } }] });
    }
  });
  if (answer.error) return bytes + plain({ error: { ...answer.error, type: answer.error.code, param: null } });
  const finish = { end: 'stop', tools: 'tool_calls', max_tokens: 'length', refusal: 'content_filter', pause: 'stop' }[answer.stop ?? (calls > 0 ? 'tools' : 'end')];
  const used = amounts(answer);
  const prompt_tokens = used.input + used.cacheRead + used.cacheWrite;
  const usage = {
    prompt_tokens,
    completion_tokens: used.output,
    total_tokens: prompt_tokens + used.output,
    prompt_tokens_details: { cached_tokens: used.cacheRead },
    completion_tokens_details: { reasoning_tokens: used.reasoning },
  };
  return bytes + chunk({}, finish) + plain({ ...base, choices: [], usage }) + 'data: [DONE]\n\n';
}
