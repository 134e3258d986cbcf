import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../../src/boot/config/config.ts";
import { type Answer, type ContractPlatform, contractPlatform, NOTHING } from "./contract-platform.ts";
import { quote } from "./platform-contract.ts";

// The limits are the product's defaults.

let platform: ContractPlatform;
beforeAll(async () => {
  const { generalLimitPerMinute, playbookLimitPerMinute, investigateLimitPerMinute } = readConfig({});
  const changed = { generalLimitPerMinute, playbookLimitPerMinute, investigateLimitPerMinute };
  platform = await contractPlatform({ changed });
});
afterAll(() => platform.close());

/** Sends as many requests per minute as the document allows, and one more. */
async function exhaust(role: string, limit: number, request: string, body?: object): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let at = 0; at <= limit; at += 1) answers.push(await platform.ask(request, body, role));
  return answers;
}

const countRefused = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 429).length;

function expectRefusal(answer: Answer | undefined) {
  expect(answer).toMatchObject({ status: 429, body: { detail: expect.any(String) } });
  expect(Object.keys(answer?.body ?? {})).toEqual(["detail"]);
}

describe(quote("| General API | 100 requests per minute |"), () => {
  it("allows 100 requests and refuses the next", async () => {
    const answers = await exhaust("tier1", 100, "GET /users/me");
    expect(countRefused(answers.slice(0, 100))).toBe(0);
    expectRefusal(answers[100]);
  }, 60_000);

  it("counts each caller separately", async () => {
    expect((await platform.ask("GET /users/me", undefined, "tier2")).status).toBe(200);
  });

  it("reports when the caller may retry", async () => {
    const { headers } = await platform.ask("GET /users/me", undefined, "tier1");
    expect(Number(headers["retry-after"])).toBeGreaterThan(0);
    expect(Number(headers["retry-after"])).toBeLessThanOrEqual(60);
  });
});

describe(quote("| Investigation trigger | 10 requests per minute |"), () => {
  it("allows 10 requests and refuses the next", async () => {
    const answers = await exhaust("tier3", 10, "POST /agents/investigate", {});
    expect(countRefused(answers.slice(0, 10))).toBe(0);
    expectRefusal(answers[10]);
  });

  it("does not limit other routes", async () => {
    expect((await platform.ask("GET /users/me", undefined, "tier3")).status).toBe(200);
  });
});

describe(quote("| Playbook execution | 5 requests per minute |"), () => {
  it.each([
    ["/soar/playbooks", "responder"],
    ["/playbooks", "agent"],
  ])("allows 5 requests at %s and refuses the next", async (path, role) => {
    const answers = await exhaust(role, 5, `POST ${path}/${NOTHING}/execute`, {});
    expect(countRefused(answers.slice(0, 5))).toBe(0);
    expectRefusal(answers[5]);
  });

  it("counts both paths together", async () => {
    expectRefusal(await platform.ask(`POST /playbooks/${NOTHING}/execute`, {}, "responder"));
  });

  it("does not limit other routes", async () => {
    expect((await platform.ask("GET /users/me", undefined, "responder")).status).toBe(200);
  });
});

it(quote("| 429 | Rate limit exceeded |"), async () => {
  expectRefusal(await platform.ask("GET /users/me", undefined, "tier1"));
});
