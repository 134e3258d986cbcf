import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { Link } from "../../../app/address/link.tsx";
import { useAddress } from "../../../app/address/use-address.ts";
import { after, now } from "../../../app/browser/clock.ts";
import { useApp, useLive, useMay, useMe } from "../../../app/context/app-context.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { fill, isolated, usePhrases } from "../../../app/language/language-context.tsx";
import { Page } from "../../../app/page/page.tsx";
import { readRange } from "../../../app/time/range.ts";
import { RangePicker } from "../../../app/time/range-picker.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import { AlertsPart } from "./alerts-part.tsx";
import { NeedsPart, useNeeds } from "./needs-part.tsx";
import { createOverviewClient } from "./overview-client.ts";
import { InForcePart, RecentCasesPart, SourcesPart } from "./overview-parts.tsx";
import { overviewPhrases } from "./overview-phrases.ts";
import { RuleTimePart } from "./rule-time-part.tsx";
import "./overview.css";

const PERIOD_MS = 5000;
const NOON = 12;
const EVENING = 18;
const DEFAULT_RANGE = { from: "-24h" };
const RANGE_BUTTON = "overview-range-button";
/** The parts that an event about such a record changes. */
const CHANGED_PARTS: Readonly<Record<string, readonly string[]>> = {
  alert: ["dashboard", "summary"],
  case: ["dashboard", "my-cases"],
  endpoint: ["in-force"],
  device: ["dashboard"],
  source: ["sources"],
};

/** Reloads the changed parts, at most once in five seconds. */
function useLiveParts(): void {
  const queries = useQueryClient();
  const changed = useRef(new Set<string>());
  const cancel = useRef<(() => void) | undefined>(undefined);
  useEffect(() => () => cancel.current?.(), []);
  useLive({
    onEvents: (events) => {
      for (const { type } of events)
        for (const part of CHANGED_PARTS[type.split(".")[0] ?? ""] ?? []) changed.current.add(part);
      if (changed.current.size === 0) return;
      cancel.current ??= after(PERIOD_MS, () => {
        cancel.current = undefined;
        for (const part of changed.current) void queries.invalidateQueries({ queryKey: ["overview", part] });
        changed.current.clear();
      });
    },
    onReset: () => undefined,
  });
}

function useGreeting(): string {
  const { greetings } = usePhrases(overviewPhrases);
  const { username } = useMe();
  const hour = now().getHours();
  const greeting = hour < NOON ? greetings.morning : hour < EVENING ? greetings.day : greetings.evening;
  return fill(greeting, { name: isolated(username) });
}

/** The user's pending tasks and the health of the platform. Parts that the user may not read are absent. */
export function OverviewPage() {
  const { server } = useApp();
  const client = useMemo(() => createOverviewClient(server), [server]);
  const words = usePhrases(overviewPhrases);
  const { search, change, go } = useAddress();
  const time = useTime();
  const greeting = useGreeting();
  const may = {
    alerts: useMay("alerts:read"),
    rules: useMay("detections:read"),
    endpoints: useMay("edr:read"),
    sources: useMay("siem:read"),
    cases: useMay("cases:read", "stats:read"),
  };
  useLiveParts();
  const range = readRange(search, now()) ?? DEFAULT_RANGE;
  const setRange = (from: string | undefined, to: string | undefined) => change({ from, to }, { isStep: true });
  const needs = useNeeds(client);
  useCommands([
    {
      id: "overview.range",
      label: words.range,
      group: words.goTo,
      keys: ["t"],
      run: () => document.getElementById(RANGE_BUTTON)?.click(),
    },
    ...needs.items.slice(0, 4).map(({ text, to, search: wanted }, index) => ({
      id: `overview.need-${index + 1}`,
      label: text,
      group: words.goTo,
      keys: [String(index + 1)],
      run: () => go(to, wanted),
    })),
  ]);
  return (
    <Page
      title={greeting}
      tools={
        <>
          <Link to="/wall" className="button button-ghost" title={words.wallHint}>
            {words.wall}
          </Link>
          <RangePicker id={RANGE_BUTTON} range={range} onChange={({ from, to }) => setRange(from, to)} />
          <Button title={words.zone} onClick={time.toggleZone}>
            {time.zoneLabel}
          </Button>
        </>
      }
    >
      <NeedsPart needs={needs} />
      <div className="overview-parts">
        {may.alerts && <AlertsPart client={client} range={range} onRange={setRange} />}
        {may.rules && <RuleTimePart client={client} />}
        {may.endpoints && <InForcePart client={client} />}
        {may.sources && <SourcesPart client={client} />}
        {may.cases && <RecentCasesPart client={client} />}
      </div>
    </Page>
  );
}
