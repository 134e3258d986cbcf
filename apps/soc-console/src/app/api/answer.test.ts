import { describe, expect, it } from "vitest";
import { isRecord, readAnswer } from "./answer.ts";

const isPong = (body: unknown): body is { pong: true } => isRecord(body) && body.pong === true;
const answerTo = (response: Response) => readAnswer(Promise.resolve(response), isPong);

describe("an answer of the service", () => {
  it("gives the body when it is what was asked for", async () => {
    expect(await answerTo(Response.json({ pong: true }))).toEqual({ kind: "given", body: { pong: true } });
  });

  it.each([
    [
      "detail",
      Response.json({ detail: "username or password is wrong" }, { status: 401 }),
      "username or password is wrong",
    ],
    ["no body", new Response(null, { status: 502 }), "HTTP 502"],
    ["another body", Response.json({ message: "no" }, { status: 403 }), "HTTP 403"],
  ])("is a refusal with its words when it has %s", async (_what, response, detail) => {
    expect(await answerTo(response)).toEqual({
      kind: "refused",
      status: response.status,
      detail,
      retryAfterSeconds: undefined,
    });
  });

  it.each([
    ["90", 90],
    ["0", 0],
    ["Wed, 21 Oct 2026 07:28:00 GMT", undefined],
    ["-5", undefined],
    ["", undefined],
  ])("with Retry-After '%s' asks for %s seconds of patience", async (header, retryAfterSeconds) => {
    const refused = Response.json({ detail: "too many sign-ins" }, { status: 429, headers: { "retry-after": header } });
    expect(await answerTo(refused)).toMatchObject({ kind: "refused", status: 429, retryAfterSeconds });
  });

  it.each([
    ["the connection is lost", () => Promise.reject(new TypeError("Failed to fetch"))],
    ["a page of something in between comes", async () => new Response("<h1>Gateway</h1>")],
    ["the body is not what was asked for", async () => Response.json({ ping: true })],
  ])("is silence when %s", async (_what, send: () => Promise<Response>) => {
    expect(await readAnswer(send(), isPong)).toEqual({ kind: "silent" });
  });
});
