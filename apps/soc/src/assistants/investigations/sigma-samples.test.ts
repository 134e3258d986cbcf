import { basename } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { lacksPublicData, readPublic, readTarFiles } from "../../../testing/fixtures/public-data.ts";
import { createMemoryReader } from "../../../testing/situations/memory-reader.ts";
import { toAlert } from "../../../testing/situations/situations.ts";
import { readSigma, type SigmaRule } from "../../detection/sigma/sigma.ts";
import { toLog } from "../../logs/normalise/normalise.ts";
import { toPredicate } from "../../logs/query/predicate.ts";
import type { LogEvent } from "../../ports/log-event.ts";
import { type Investigation, investigate } from "./investigate.ts";

const LIMIT_MS = 600_000;

interface Sample {
  rule: SigmaRule;
  /** The rule as its authors wrote it. */
  text: string;
  logs: LogEvent[];
  result: Investigation;
}

describe.skipIf(lacksPublicData("sigma-rules.tar.gz", "sigma-regression.tar.gz"))(
  "events that Sigma rules must match",
  { timeout: LIMIT_MS },
  () => {
    let samples: Sample[] = [];

    beforeAll(async () => {
      const texts = readSampleTexts();
      const rules = readRules(new Set(texts.map(({ rule_id }) => rule_id)));
      samples = [];
      for (const { rule_id, text } of texts) {
        const { rule, text: ruleText } = rules.get(rule_id) ?? {};
        if (!rule || ruleText === undefined) throw new Error(`rule ${rule_id} is missing`);
        const isMet = toPredicate(rule.condition);
        const logs = parseLogs(rule_id, text).filter(isMet);
        const alert = toAlert(rule_id, rule, logs);
        const result = await investigate(
          createMemoryReader({ logs, alerts: [alert], history: [] }),
          alert,
          rule.condition,
        );
        samples.push({ rule, text: ruleText, logs, result });
      }
    }, LIMIT_MS);

    it("get the technique of the rule in a sentence that cites them", () => {
      expect(samples).toHaveLength(203);
      for (const { rule, logs, result } of samples) {
        const ids = new Set(logs.map(({ id }) => id));
        for (const technique of rule.mitre_techniques) {
          const named = result.findings.find(({ statement }) => statement.startsWith(`Technique ${technique}: `));
          expect(
            named?.evidence_ids.some((id) => ids.has(id)),
            `${rule.title} ${technique}`,
          ).toBe(true);
        }
      }
    });

    it("get the values that made the rule match", () => {
      const silent = samples.filter(({ text, result }) => {
        const said = result.findings.filter(({ statement }) => statement.startsWith("The event has "));
        // Keywords are searched in the message, EventID is the event's code, and a service is a channel.
        const isAsked = (field: string) => ["message", "event_code", "Channel"].includes(field) || text.includes(field);
        return (
          said.length === 0 ||
          !said.every(({ claims }) => claims.length > 0 && claims.every((claim) => isAsked(claim.field)))
        );
      });
      expect(silent.map(({ rule }) => rule.title)).toEqual([]);
    });

    it("contain every claim about them", () => {
      const unsupported = samples.flatMap(({ result }) => result.findings).filter(({ is_supported }) => !is_supported);
      expect(unsupported).toEqual([]);
    });
  },
);

function readSampleTexts(): { rule_id: string; text: string }[] {
  return readTarFiles(readPublic("sigma-regression.tar.gz"))
    .filter(({ path }) => /\.json(cls)?$/.test(path))
    .map(({ path, text }) => ({ rule_id: basename(path).replace(/\..*$/, ""), text }));
}

function readRules(ids: ReadonlySet<string>): Map<string, { rule: SigmaRule; text: string }> {
  const rules = new Map<string, { rule: SigmaRule; text: string }>();
  for (const { path, text } of readTarFiles(readPublic("sigma-rules.tar.gz"))) {
    if (!path.endsWith(".yml") || !ids.has(/^id: (\S+)/m.exec(text)?.[1] ?? "")) continue;
    const reading = readSigma(text);
    if (reading.state === "read") rules.set(reading.rule.id, { rule: reading.rule, text });
  }
  return rules;
}

/** Some files contain several objects in sequence. */
function parseLogs(rule_id: string, text: string): LogEvent[] {
  return text
    .split(/\n(?=\{)/)
    .filter((part) => part.trim() !== "")
    .map((raw, place) =>
      toLog(JSON.parse(raw), { id: `${rule_id}-${place}`, site: "", ingested_at: "2026-01-01T00:00:00.000Z", raw }),
    );
}
