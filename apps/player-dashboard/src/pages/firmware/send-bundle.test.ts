import { describe, expect, it } from "vitest";
import { sendBundle } from "./send-bundle.ts";

const TOKEN = "ab".repeat(32);

/** A request that is answered as told as soon as it is sent. */
function requestThat(answer: { event: string; status?: number; text?: string; retryAfter?: string; sent?: number[] }) {
  const listeners = new Map<string, () => void>();
  const headers = new Map<string, string>();
  const asked: string[] = [];
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
    open: (method: string, path: string) => void asked.push(method, path),
    setRequestHeader: (name: string, value: string) => void headers.set(name, value),
    getResponseHeader: () => answer.retryAfter ?? null,
    send: () => {
      for (const loaded of answer.sent ?? []) progress({ loaded });
      listeners.get(answer.event)?.();
    },
  };
  return { request: request as unknown as XMLHttpRequest, headers, asked };
}

const send = (request: XMLHttpRequest, onSent: (bytes: number) => void = () => undefined) =>
  sendBundle(new Blob(["bundle"]), { createRequest: () => request, token: TOKEN, onSent });

describe("sending a bundle", () => {
  it("says how much has left, with the token", async () => {
    const sent: number[] = [];
    const { request, headers, asked } = requestThat({ event: "load", status: 200, sent: [3, 6] });
    await send(request, (bytes) => sent.push(bytes));
    expect(sent).toEqual([3, 6]);
    expect(asked).toEqual(["POST", "/api/ota/upload"]);
    expect(headers.get("authorization")).toBe(`Bearer ${TOKEN}`);
  });

  it.each([
    [
      { event: "load", status: 400, text: '{"error":"body: is no bundle with a valid signature"}' },
      { status: 400, message: "body: is no bundle with a valid signature", retryAfterSeconds: 0 },
    ],
    [
      { event: "load", status: 429, text: "{}", retryAfter: "42" },
      { status: 429, message: "", retryAfterSeconds: 42 },
    ],
    [
      { event: "load", status: 502, text: "<h1>" },
      { status: 502, message: "", retryAfterSeconds: 0 },
    ],
    [{ event: "error" }, { status: 0, message: "" }],
    [{ event: "timeout" }, { status: 0, message: "" }],
  ])("is refused by %j", async (answer, refusal) => {
    await expect(send(requestThat(answer).request)).rejects.toMatchObject(refusal);
  });
});
