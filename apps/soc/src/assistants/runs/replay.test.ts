import { Socket } from "node:net";
import process from "node:process";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { TEST_PLANS } from "../../../testing/harness/runs-world.ts";
import { createMemoryReader } from "../../../testing/situations/memory-reader.ts";
import { SAMPLE_WORLD } from "../../../testing/situations/sample-intrusion.ts";
import { buildAlert } from "../../alerts/alerts/alert.ts";
import { buildInvestigation, PLATFORM_CALLER, withoutColumns } from "./investigation.ts";
import type { InvestigationPorts } from "./ports.ts";
import { createRecording, type RecordedStep } from "./recording.ts";
import { replay } from "./replay.ts";
import { runInvestigation } from "./run-investigation.ts";
import { parseTranscript } from "./transcript.ts";

const NOW = new Date("2026-05-01T10:00:00Z");
const COUNT = process.env.PROVE === "full" ? 100 : 3;
const ID = "0197f000-0000-7000-8000-000000000001";

beforeEach(() => {
  vi.spyOn(Socket.prototype, "connect").mockImplementation(() => {
    throw new Error("sockets are denied");
  });
});
afterEach(() => vi.restoreAllMocks());

function createOutside(log_ids: string[], fails: string[] = []): InvestigationPorts {
  const reader = createMemoryReader(SAMPLE_WORLD);
  return {
    now: () => NOW,
    readAlert: async (id) => {
      const report = { title: "LSASS Dump", source: "edr", severity: "critical", host: "WS5", log_ids } as const;
      return withoutColumns(buildAlert(report, id, NOW));
    },
    readRule: async () => null,
    readAgents: async () => ({ agents: [], sites: [] }),
    reader,
    async call(_agent, tool) {
      if (fails.includes(tool)) return { status: "error", error_code: "timeout", error: "too slow" };
      return { status: "completed", case_id: ID, error_code: null, error: null, text: "a\0b \ud800" };
    },
    ask: async () => ({ kind: "failed", text: "", usage: { input: 0, output: 0 }, detail: "no model is configured" }),
    pause: async () => undefined,
    begin: async () => ({ run_id: ID, state: "granted" }),
    end: async () => undefined,
  };
}

/** Runs investigations and returns its transcript after a JSON round trip. */
async function record(outside: InvestigationPorts) {
  const steps: RecordedStep[] = [];
  const row = buildInvestigation({
    ...{ investigation_id: ID, request: { alert_context: { alert_id: ID } }, alert: { id: ID, severity: "critical" } },
    ...{ event_id: "event", caller: PLATFORM_CALLER, now: NOW },
  });
  const recording = createRecording({ known: [], store: async (step) => void steps.push(step), now: () => NOW });
  const conclusion = await runInvestigation({ investigation: row, plans: TEST_PLANS, recording, outside });
  return JSON.parse(JSON.stringify({ investigation: { ...row, ...conclusion }, steps }));
}

it(`replays investigations from their records alone (${COUNT})`, async () => {
  for (let made = 0; made < COUNT; made += 1) {
    const transcript = await record(createOutside([`log-${1 + (made % 7)}`], made % 2 === 0 ? [] : ["lookup_ioc"]));
    expect(transcript.investigation.status).toBe("completed");
    const read = parseTranscript(JSON.stringify({ ...transcript, is_expired: false }));
    const { isSame, differences, steps } = await replay(read, TEST_PLANS);
    expect({ isSame, differences }).toEqual({ isSame: true, differences: [] });
    expect(steps).toBeGreaterThan(15);
  }
});

it("detects a changed answer, a changed request, a missing step and another verdict", async () => {
  const transcript = await record(createOutside(["log-4"]));
  const { steps, investigation } = transcript;
  const find = steps.findIndex(({ name }: RecordedStep) => name === "find");
  const altered = (changed: Partial<RecordedStep>) =>
    steps.map((step: RecordedStep, at: number) => (at === find ? { ...step, ...changed } : step));
  const replayed = (given: RecordedStep[]) => replay({ investigation, steps: given }, TEST_PLANS);
  expect((await replayed(altered({ result: '{"value":[]}' }))).isSame).toBe(false);
  expect((await replayed(altered({ arguments: "{}" }))).differences[0]).toMatch(
    /^step \d+ of agent-016: recorded is reader find/,
  );
  expect((await replayed(steps.slice(0, -1))).differences).toEqual([expect.stringMatching(/^not in the record: /)]);
  const other = { ...investigation, verdict: "benign" };
  expect((await replay({ investigation: other, steps }, TEST_PLANS)).differences).toEqual(["verdict differ"]);
});

it("continues without a failed read and names it", async () => {
  const { Problem } = await import("@kit/problem");
  const outside = createOutside(["log-4"]);
  const unavailable = async () => {
    throw new Problem("unavailable", "the log store does not answer");
  };
  const transcript = await record({ ...outside, reader: { ...outside.reader, ofUser: unavailable } });
  expect(transcript.investigation).toMatchObject({ status: "completed", verdict: "malicious" });
  expect(transcript.investigation.summary).toContain("Not read: events of the user (unavailable).");
  const failed = transcript.steps.find(({ name }: RecordedStep) => name === "ofUser");
  expect(failed.error_code).toBe("unavailable");
  expect((await replay(transcript, TEST_PLANS)).differences).toEqual([]);

  const blind = await record({ ...outside, reader: { ...outside.reader, find: unavailable } });
  expect(blind.investigation).toMatchObject({
    ...{ status: "failed", verdict: null },
    error: "the events of the alert could not be read: the log store does not answer",
  });
});

it("reads no other file", () => {
  expect(() => parseTranscript("{}")).toThrow(/^not a transcript: /);
  expect(() => parseTranscript("not JSON")).toThrow();
});
