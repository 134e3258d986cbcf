import { Problem } from "@kit/problem";
import { expect, it } from "vitest";
import { createReportTurns } from "./report-turns.ts";

const fail = (kind: "unavailable" | "conflict") => () => Promise.reject(new Problem(kind, "no answer"));

it("refuses waiting reports when the database does not answer", async () => {
  const inTurn = createReportTurns();
  let count = 0;
  const counted = async () => {
    count += 1;
  };
  const reports = [inTurn("a", fail("unavailable")), inTurn("a", counted), inTurn("a", counted), inTurn("b", counted)];
  const ends = (await Promise.allSettled(reports)).map(({ status }) => status);
  expect([ends, count]).toEqual([["rejected", "rejected", "rejected", "fulfilled"], 1]);
  await inTurn("a", counted);
  expect(count).toBe(2);
});

it("runs the next report after any other failure", async () => {
  const inTurn = createReportTurns();
  const failed = inTurn("a", fail("conflict"));
  const next = inTurn("a", async () => "stored");
  await expect(failed).rejects.toThrow("no answer");
  expect(await next).toBe("stored");
});
