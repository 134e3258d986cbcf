import { expect, it } from "vitest";
import { buildSilenceReports, MAX_SEPARATE_SILENCES } from "./silence.ts";

const since = new Date("2026-11-15T10:00:00Z");
const silences = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    source: `fw-${n}`,
    silent_since: new Date(since.getTime() + (count - n) * 1000),
    interval_ms: 90_000,
  }));

it.each([
  [10_000, "10 seconds"],
  [90_000, "90 seconds"],
  [600_000, "10 minutes"],
  [86_400_000, "24 hours"],
])("derives the usual interval of a source: %i ms", (interval_ms, span) => {
  const [silence] = buildSilenceReports([{ source: "a\nb", silent_since: since, interval_ms }]);
  expect(silence).toMatchObject({ report: { title: "Log source 'a b' is silent" }, sources: ["a\nb"] });
  expect(silence?.report.description).toContain(
    `nothing since 2026-11-15T10:00:00.000Z and usually sends an event every ${span}.`,
  );
});

it("reports a few silent sources separately and many in one alert", () => {
  expect(buildSilenceReports(silences(MAX_SEPARATE_SILENCES))).toHaveLength(MAX_SEPARATE_SILENCES);
  const many = buildSilenceReports(silences(150));
  expect(many).toHaveLength(1);
  expect(many[0]?.report.title).toBe("Many log sources are silent");
  expect(many[0]?.sources).toHaveLength(150);
  expect(many[0]?.report.description).toMatch(
    /^150 sources .* since 2026-11-15T10:00:01\.000Z.* fw-149, fw-148, .* and 50 more\.$/,
  );
  expect(many[0]?.report.description).not.toContain("fw-0,");
});
