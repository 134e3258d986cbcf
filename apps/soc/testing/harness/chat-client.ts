import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Frame } from "@kit/http/frame";
import type { ChatEvent, Citation } from "../../src/assistants/chat/chat-event.ts";

export interface ChatAnswer {
  status: number;
  headers: IncomingMessage["headers"];
  /** The body of a refusal. */
  body: string;
  events: ChatEvent[];
  text: string;
  citations: Citation[];
  conversation_id: string;
  /** From the request to the first token. */
  firstTokenMs: number;
  /** How many chunks arrived. */
  chunks: number;
}

export type AskChat = (message: string, conversation_id?: string) => Promise<ChatAnswer>;

/** The route that reads the record of a citation. */
export const CITED_ROUTES: Readonly<Record<Citation["kind"], string>> = {
  alert: "/alerts",
  case: "/cases",
  log: "/siem/logs",
  ioc: "/iocs",
  endpoint: "/edr/endpoints",
};

/** Sends a chat message over the network, without reading the response. */
export async function postChat(app: Frame, headers: Record<string, string>, body: object): Promise<IncomingMessage> {
  const { port } = app.server.address() as AddressInfo;
  const asked = request({
    ...{ port, host: "127.0.0.1", method: "POST", path: "/api/v1/chat/stream", agent: false },
    headers: { ...headers, "content-type": "application/json" },
  });
  asked.end(JSON.stringify(body));
  const [answered] = (await once(asked, "response")) as [IncomingMessage];
  return answered;
}

/** Sends a message over the network and reads the stream as it arrives. */
export function chatAs(app: Frame, headers: Record<string, string>): AskChat {
  return async (message, conversation_id) => {
    const start = performance.now();
    const answered = await postChat(app, headers, { message, ...(conversation_id && { conversation_id }) });
    const { statusCode: status = 0, headers: got } = answered;
    const answer = { status, headers: got, body: "", text: "", conversation_id: "", firstTokenMs: -1, chunks: 0 };
    const read: ChatAnswer = { ...answer, events: [], citations: [] };
    if (status !== 200) return { ...read, body: await text(answered) };
    let rest = "";
    for await (const chunk of answered.setEncoding("utf8")) {
      read.chunks += 1;
      const frames = `${rest}${chunk}`.split("\n\n");
      rest = frames.pop() ?? "";
      for (const event of frames.flatMap(parseFrame)) {
        if (event.event === "token" && read.firstTokenMs < 0) read.firstTokenMs = performance.now() - start;
        collect(read, event);
      }
    }
    return read;
  };
}

function parseFrame(frame: string): ChatEvent[] {
  const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? [];
  return event && data ? [{ event, data: JSON.parse(data) } as ChatEvent] : [];
}

function collect(read: ChatAnswer, event: ChatEvent): void {
  read.events.push(event);
  if (event.event === "token") read.text += event.data.text;
  if (event.event === "citation") read.citations.push(event.data);
  if (event.event === "done") read.conversation_id = event.data.conversation_id;
}
