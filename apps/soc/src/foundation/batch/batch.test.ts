import { expect, it } from "vitest";
import { createBatchService } from "./batch.service.ts";
import { findBatchRefusal, formatBatch } from "./batch.ts";

it.each([
  "/api/v1/alerts",
  "/api/v1/alerts?severity=high&severity=low&q=a%20b%2Fc",
  "/api/v1/edr/endpoints/fin-ws-014.example",
  "/api/v1/siem/logs?query=host:%22a%22&from=2026-01-01T00:00:00Z",
])("accepts %s", (path) => {
  expect(findBatchRefusal({ path })).toBeUndefined();
});

it.each([
  "/health",
  "/ready",
  "/mcp",
  "/api/v1",
  "/api/v1/",
  "/api/v2/alerts",
  "/api/v1alerts",
  "//evil.example/api/v1/alerts",
  "/api/v1//alerts",
  "/api/v1/../../health",
  "/api/v1/..",
  "/api/v1/./alerts",
  "/api/v1/%2e%2e/%2E%2e/health",
  "/api/v1/..%2f..%2fhealth",
  "/api/v1/alerts%5c..",
  "/api/v1/alerts%00",
  "/api/v1/alerts%zz",
  "/api/v1/alerts\\..\\health",
  "http://evil.example/api/v1/alerts",
  "https://localhost/api/v1/alerts",
  "api/v1/alerts",
  "?/api/v1/alerts",
  " /api/v1/alerts",
  "/api/v1/alerts#x",
  "/api/v1/alerts?a=b#c",
  "/api/v1/alerts HTTP/1.1\r\nx-api-key: 1",
  "/api/v1/alerts?a=b\r\nx: y",
  "/api/v1/alerts?q=a b",
  "/api/v1/\u0430lerts",
  "",
])("refuses the path %j", (path) => {
  expect(findBatchRefusal({ path })).toMatch(/^path: /);
});

it.each(["POST", "DELETE", "get", "HEAD", ""])("refuses the method %j", (method) => {
  expect(findBatchRefusal({ method, path: "/api/v1/alerts" })).toBe("method: must be GET");
});

it("answers in order, with at most four reads in parallel, up to the size limit", async () => {
  const batch = createBatchService(100);
  let running = 0;
  let most = 0;
  const requests = Array.from({ length: 20 }, (_, i) => ({ path: `/api/v1/n/${i}` }));
  const answers = await batch.answer(requests, async (path) => {
    running += 1;
    most = Math.max(most, running);
    await Promise.resolve();
    running -= 1;
    return { status: 200, body: JSON.stringify(path) };
  });
  expect(most).toBe(4);
  // Each answer has 13 bytes, so seven fit into 100.
  expect(answers.slice(0, 7).map(({ body }) => JSON.parse(body))).toEqual(requests.slice(0, 7).map(({ path }) => path));
  expect(answers.slice(7).every(({ status }) => status === 400)).toBe(true);
  const { responses } = JSON.parse(formatBatch([...answers, { status: 204, body: "" }]));
  expect(responses).toHaveLength(21);
  expect(responses.at(-1)).toEqual({ status: 204, body: null });
});
