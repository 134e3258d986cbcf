import { createFakeClock } from "@kit/clock/fake";
import { describe, expect, it } from "vitest";
import { createLog } from "./log.ts";

function logged(write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown> {
  const lines: string[] = [];
  write(createLog({ clock: createFakeClock(), level: "debug", stream: { write: (line) => lines.push(line) } }));
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0] ?? "");
}

describe("log output", () => {
  it("writes one object per line with level, time and message", () => {
    expect(logged((log) => log.info({ rule_id: "r-1", match_count: 3 }, "rule run completed"))).toEqual({
      level: "info",
      time: "2026-01-01T00:00:00.000Z",
      rule_id: "r-1",
      match_count: 3,
      msg: "rule run completed",
    });
  });

  it("escapes what changes a terminal or the direction of a text, and keeps the value", () => {
    const lines: string[] = [];
    const stream = { write: (line: string) => lines.push(line) };
    createLog({ clock: createFakeClock(), level: "debug", stream }).info({ why: "\u001b[2J\u009b\u202e" }, "refused");
    expect(lines[0]).toContain(String.raw`"why":"\u001b[2J\u009b\u202e"`);
    expect(lines[0]?.endsWith("}\n")).toBe(true);
    expect(JSON.parse(lines[0] ?? "").why).toBe("\u001b[2J\u009b\u202e");
  });

  it.each([
    ["token"],
    ["access_token"],
    ["DEVICE_TOKEN"],
    ["password"],
    ["new_password"],
    ["passwd"],
    ["cookie"],
    ["set-cookie"],
    ["Authorization"],
    ["api_key"],
    ["X-API-Key"],
    ["psk"],
    ["client_secret"],
    ["private_key"],
  ])("hides a field named %s at any depth", (name) => {
    const line = logged((log) => log.warn({ request: { headers: [{ [name]: "s3cret-value" }] } }, "refused"));
    expect(JSON.stringify(line)).not.toContain("s3cret-value");
    expect(line).toMatchObject({ request: { headers: [{ [name]: "[redacted]" }] } });
  });

  it("keeps only scheme and host of a URL in fields and error texts", () => {
    const err = new Error("GET https://ops:pw@feed.example/api?key=k1 failed", {
      cause: new Error("dial postgres://soc:hunter2@db:5432/soc"),
    });
    const line = JSON.stringify(logged((log) => log.error({ err, url: "http://a.example/live?sid=s1#f" }, "failed")));
    expect(line).toContain("https://feed.example/…");
    expect(line).toContain("postgres://db:5432/…");
    expect(line).toContain("http://a.example/…");
    expect(line).not.toMatch(/k1|pw@|hunter2|sid=/);
  });

  it("hides credentials inside a text", () => {
    const line = JSON.stringify(logged((log) => log.info({ header: "Bearer abcdef0123456789" }, "seen")));
    expect(line).not.toContain("abcdef0123456789");
  });

  it("contains an error once with its stack", () => {
    expect(logged((log) => log.error(new TypeError("boom"), "failed"))).toMatchObject({
      err: { name: "TypeError", message: "boom", stack: expect.stringContaining("log.test.ts") },
    });
  });

  it("truncates cycles and deep nesting", () => {
    const loop: Record<string, unknown> = { name: "a" };
    loop.self = loop;
    expect(JSON.stringify(logged((log) => log.info({ loop }, "seen")))).toContain("[deeper]");
  });
});
