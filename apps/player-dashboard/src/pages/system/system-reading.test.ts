import { describe, expect, it } from "vitest";
import { createSystemClient } from "./system-client.ts";
import { createSystemReadings } from "./system-reading.ts";

const system = {
  version: "1.0.0",
  uptime: 60,
  free_heap: 1024,
  nvs: { used_entries: 1, free_entries: 9, total_entries: 10, bytes: 100 },
  boot_failures: [],
  warnings: [],
};

function readingsFrom(...answers: (() => Response)[]) {
  const deadline = () => new AbortController().signal;
  const fetch = async () => {
    const answer = answers.shift();
    if (!answer) throw new TypeError("Failed to fetch");
    return answer();
  };
  return createSystemReadings(createSystemClient({ fetch, deadline }));
}

describe("system reading", () => {
  it("is loading until the first answer", async () => {
    const { reading, refresh } = readingsFrom(() => Response.json(system));
    expect(reading.value).toEqual({ state: "loading" });
    await refresh();
    expect(reading.value).toEqual({ state: "here", system });
  });

  it("keeps what the player said last while it is away, and forgets the absence when it is back", async () => {
    const back = () => Response.json({ ...system, uptime: 5 });
    const lost = () => Response.error();
    const { reading, refresh } = readingsFrom(() => Response.json(system), lost, back);
    await refresh();
    await refresh();
    expect(reading.value).toMatchObject({ state: "away", lastSystem: system });
    await refresh();
    expect(reading.value).toEqual({ state: "here", system: { ...system, uptime: 5 } });
  });

  it.each([
    ["nothing", [], undefined],
    ["a page of another server", [() => new Response("<h1>Sign in to this Wi-Fi</h1>")], undefined],
    ["a refusal", [() => Response.json({ error: "too many requests" }, { status: 429 })], "too many requests"],
    ["a refusal without words", [() => new Response("", { status: 502 })], undefined],
    ["JSON of another device", [() => Response.json({ version: "7", uptime: 12 })], undefined],
  ])("is away when the answer is %s", async (_answer, answers, error) => {
    const { reading, refresh } = readingsFrom(...answers);
    await refresh();
    expect(reading.value).toEqual({ state: "away", error, lastSystem: undefined });
  });
});
