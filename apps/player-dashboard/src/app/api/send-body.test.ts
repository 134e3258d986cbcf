import { describe, expect, it } from "vitest";
import { sendBody } from "./send-body.ts";

const TOKEN = "ab".repeat(32);

/** A request that receives this response as soon as it is sent. */
function requestThat(answer: { event: string; status?: number; text?: string; retryAfter?: string; sent?: number[] }) {
  const listeners = new Map<string, () => void>();
  const headers = new Map<string, string>();
  const opened: string[] = [];
  let progress: (event: { loaded: number }) => void = () => undefined;
  const request = {
    status: answer.status ?? 0,
    responseText: answer.text ?? "",
    timeout: 0,
    upload: {
      addEventListener: (_type: string, listener: typeof progress) => {
        progress = listener;
      },
    },
    addEventListener: (type: string, listener: () => void) => void listeners.set(type, listener),
    open: (method: string, path: string) => void opened.push(method, path),
    setRequestHeader: (name: string, value: string) => void headers.set(name, value),
    getResponseHeader: (name: string) => (name === "retry-after" ? (answer.retryAfter ?? null) : null),
    send: () => {
      for (const loaded of answer.sent ?? []) progress({ loaded });
      listeners.get(answer.event)?.();
    },
  };
  return { request: request as unknown as XMLHttpRequest, headers, opened };
}

const send = (request: XMLHttpRequest, onSent: (bytes: number) => void = () => undefined, signal?: AbortSignal) =>
  sendBody(() => request, {
    path: "/api/ota/upload",
    body: new Blob(["bundle"]),
    token: TOKEN,
    timeoutMs: 1000,
    onSent,
    ...(signal && { signal }),
  });

describe("sending a body", () => {
  it("sends the token and reports the number of sent bytes", async () => {
    const sent: number[] = [];
    const { request, headers, opened } = requestThat({ event: "load", status: 200, text: "{}", sent: [3, 6] });
    expect(await send(request, (bytes) => sent.push(bytes))).toBe("{}");
    expect(sent).toEqual([3, 6]);
    expect(opened).toEqual(["POST", "/api/ota/upload"]);
    expect(headers.get("authorization")).toBe(`Bearer ${TOKEN}`);
  });

  it.each([
    [
      { event: "load", status: 400, text: '{"error":"body: is no bundle with a valid signature"}' },
      { status: 400, message: "body: is no bundle with a valid signature", retryAfterSeconds: undefined },
    ],
    [
      { event: "load", status: 429, text: "{}", retryAfter: "42" },
      { status: 429, message: "", retryAfterSeconds: 42 },
    ],
    [
      { event: "load", status: 502, text: "<h1>" },
      { status: 502, message: "", retryAfterSeconds: undefined },
    ],
    [{ event: "error" }, { status: 0, message: "" }],
    [{ event: "timeout" }, { status: 0, message: "" }],
  ])("rejects with the refusal when the response is %j", async (answer, refusal) => {
    await expect(send(requestThat(answer).request)).rejects.toMatchObject(refusal);
  });

  it("sends nothing when it is cancelled first", async () => {
    const sent: number[] = [];
    const { request } = requestThat({ event: "load", status: 200, sent: [6] });
    await expect(send(request, (bytes) => sent.push(bytes), AbortSignal.abort())).rejects.toMatchObject({ status: 0 });
    expect(sent).toEqual([]);
  });
});
