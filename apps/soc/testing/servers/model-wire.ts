export interface ScriptedCall {
  name: string;
  /** An object, or the raw text of the arguments. */
  input: unknown;
  id?: string;
}

export interface ScriptedReply {
  text?: string;
  calls?: readonly ScriptedCall[];
  finish?: "stop" | "length" | "refusal";
  /** In the field that OpenAI uses for it. */
  refusal?: string;
  usage?: { input: number; output: number };
}

const DEFAULT_USAGE = { input: 10, output: 5 };

/** The stream of chat completions, as OpenAI documents it and Ollama and vLLM send it. */
export function chatEvents({ text = "", calls = [], finish, refusal, usage = DEFAULT_USAGE }: ScriptedReply): string[] {
  const chunk = (choices: object[], rest: object = {}) =>
    `data: ${JSON.stringify({ id: "chat-1", object: "chat.completion.chunk", created: 1, model: "m", choices, ...rest })}\n\n`;
  const delta = (fields: object) => chunk([{ index: 0, delta: fields, finish_reason: null }]);
  const reasons = { stop: "stop", length: "length", refusal: "content_filter" } as const;
  const reason = finish ? reasons[finish] : calls.length > 0 ? "tool_calls" : "stop";
  return [
    delta({ role: "assistant", content: "" }),
    ...cutInTwo(text).map((content) => delta({ content })),
    ...(refusal === undefined ? [] : [delta({ refusal })]),
    ...calls.flatMap(({ name, input, id = `call-${name}` }, index) => [
      delta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
      ...cutInTwo(toArguments(input)).map((part) => delta({ tool_calls: [{ index, function: { arguments: part } }] })),
    ]),
    chunk([{ index: 0, delta: {}, finish_reason: reason }]),
    chunk([], { usage: { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: 0 } }),
    "data: [DONE]\n\n",
  ];
}

/** The stream of messages, as Anthropic documents it. */
export function anthropicEvents({ text = "", calls = [], finish, usage = DEFAULT_USAGE }: ScriptedReply): string[] {
  const event = (type: string, fields: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const block = (index: number, content_block: object, deltas: object[]) => [
    event("content_block_start", { index, content_block }),
    ...deltas.map((delta) => event("content_block_delta", { index, delta })),
    event("content_block_stop", { index }),
  ];
  const reasons = { stop: "end_turn", length: "max_tokens", refusal: "refusal" } as const;
  const stop_reason = finish ? reasons[finish] : calls.length > 0 ? "tool_use" : "end_turn";
  const first = text === "" ? 0 : 1;
  const message = { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], stop_reason: null };
  return [
    event("message_start", { message: { ...message, usage: { input_tokens: usage.input, output_tokens: 1 } } }),
    ...(text === ""
      ? []
      : block(
          0,
          { type: "text", text: "" },
          cutInTwo(text).map((each) => ({ type: "text_delta", text: each })),
        )),
    ...calls.flatMap(({ name, input, id = `toolu_${name}` }, place) =>
      block(
        first + place,
        { type: "tool_use", id, name, input: {} },
        cutInTwo(toArguments(input)).map((partial_json) => ({ type: "input_json_delta", partial_json })),
      ),
    ),
    event("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: usage.output } }),
    event("message_stop", {}),
  ];
}

function toArguments(input: unknown): string {
  return typeof input === "string" ? input : JSON.stringify(input);
}

function cutInTwo(text: string): string[] {
  if (text === "") return [];
  const half = Math.ceil(text.length / 2);
  return [text.slice(0, half), text.slice(half)].filter((part) => part !== "");
}
