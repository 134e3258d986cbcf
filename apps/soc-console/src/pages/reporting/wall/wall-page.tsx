import { useEffect } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { useLiveState } from "../../../app/context/app-context.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { fill, isolated, usePhrases } from "../../../app/language/language-context.tsx";
import { useModeReading } from "../../../app/mode/use-mode.ts";
import { useRecovery } from "../../../app/mode/use-recovery.ts";
import { focusHeading } from "../../../app/page/focus-heading.ts";
import { useNow, useTime } from "../../../app/time/time-context.tsx";
import { StatusDot } from "../../../design/severity.tsx";
import { useWall, type WallReadings } from "./use-wall.ts";
import { findDue, isSoon, listCaseNeeds, listSilent, listWaiting } from "./wall-needs.ts";
import { wallPhrases } from "./wall-phrases.ts";
import { WallTile } from "./wall-tile.tsx";
import "./wall.css";

/** Pending work for a screen in the SOC: nothing to click, nothing to scroll. */
export function WallPage() {
  const words = usePhrases(wallPhrases);
  const { go } = useAddress();
  const readings = useWall();
  const mode = useModeReading().truth?.mode;
  useEffect(() => {
    document.title = `${mode === "real" || !mode ? "" : `[${words.modes[mode]}] `}${words.title} · Manara SOC`;
  }, [mode, words]);
  useEffect(focusHeading, []);
  useCommands([{ id: "wall.leave", label: words.leave, group: words.group, keys: ["Escape"], run: () => go("/") }]);
  return (
    <main id="main" className={`wall wall-${mode ?? "asking"}`}>
      <WallHead />
      <Tiles readings={readings} />
    </main>
  );
}

/** The mode, the time, and whether the data is current. */
function WallHead() {
  const words = usePhrases(wallPhrases);
  const time = useTime();
  const now = useNow();
  const live = useLiveState();
  useRecovery();
  const { truth, readAt, isUnreachable, isDatabaseLost } = useModeReading();
  const lost = isUnreachable
    ? words.unreachable
    : isDatabaseLost && fill(words.databaseLost, { time: isolated(readAt ? time.time(readAt) : "") });
  return (
    <>
      <header className="wall-head">
        {truth && (
          <p className="wall-mode">
            <strong>{words.modes[truth.mode]}</strong>
            <span>{truth.uses_showcase_data ? words.showcase : words.meanings[truth.mode]}</span>
          </p>
        )}
        <h1 tabIndex={-1} className="wall-title">
          {words.title}
        </h1>
        <p className={`wall-live wall-live-${live}`} role="status">
          <StatusDot shape={live === "live" ? "full" : "cross"} tone={live === "live" ? "ok" : "failed"} />
          {words[live]}
        </p>
        <p className="wall-clock">
          <time dir="ltr" dateTime={now.toISOString()}>
            {time.time(now)}
          </time>
          <span className="wall-zone">
            {time.day(now)} · {time.zoneLabel}
          </span>
        </p>
      </header>
      {lost && (
        <p className="wall-lost" role="alert">
          {lost}
        </p>
      )}
    </>
  );
}

function Tiles({ readings }: { readings: WallReadings }) {
  const words = usePhrases(wallPhrases);
  const time = useTime();
  const now = useNow();
  const { alerts, approvals, cases, devices, sources, force } = readings;
  const age = (at: string) => time.duration(now.getTime() - Date.parse(at));
  const left = (at: string) => time.duration(Date.parse(at) - now.getTime());
  return (
    <div className="wall-tiles">
      <WallTile
        name="alerts"
        reading={alerts}
        toneOf={() => "critical"}
        contentOf={({ items, total }) => ({
          count: total,
          lines: items.map(({ id, title, last_seen }) => ({ key: id, text: title, note: time.relative(last_seen) })),
        })}
      />
      <WallTile
        name="approvals"
        reading={approvals}
        toneOf={({ items }) => (isSoon(listWaiting(items, now)[0]?.expires_at, now) ? "high" : "waiting")}
        contentOf={({ items, total }) => ({
          // Those that expired since they were read no longer wait.
          count: total - items.length + listWaiting(items, now).length,
          lines: listWaiting(items, now).map(({ id, effect, action, expires_at }) => ({
            key: id,
            text: effect[0]?.summary ?? action,
            note: fill(words.ends, { time: left(expires_at) }),
          })),
        })}
      />
      <WallTile
        name="cases"
        reading={cases}
        toneOf={() => "high"}
        contentOf={({ items, total }) => ({
          count: listCaseNeeds(items, now).length,
          isAtLeast: total > items.length,
          lines: listCaseNeeds(items, now).map((record) => {
            const due = findDue(record);
            const isOver = due !== undefined && Date.parse(due) < now.getTime();
            const note = isOver ? fill(words.overdue, { time: age(due) }) : words.unassigned;
            return { key: record.id, text: record.title, ...((isOver || record.assignee === null) && { note }) };
          }),
        })}
      />
      <WallTile
        name="devices"
        reading={devices}
        toneOf={() => "critical"}
        contentOf={({ items, total }) => ({
          count: total,
          lines: items.map(({ id, name, attestation: { at } }) => ({
            key: id,
            text: name,
            ...(at !== null && { note: time.relative(at) }),
          })),
        })}
      />
      <WallTile
        name="sources"
        reading={sources}
        toneOf={() => "high"}
        contentOf={({ items, total }) => ({
          count: listSilent(items).length,
          isAtLeast: total > items.length,
          lines: listSilent(items).map(({ source, silent_since }) => ({
            key: source,
            text: source,
            note: fill(words.silent, { time: age(silent_since) }),
          })),
        })}
      />
      <WallTile
        name="force"
        reading={force}
        toneOf={() => "running"}
        contentOf={({ items, total }) => ({
          count: total,
          lines: items.map(({ action_id, hostname, release_at }) => ({
            key: action_id,
            text: hostname,
            note:
              release_at === null
                ? words.endless
                : fill(words.until, { time: isolated(time.time(release_at).slice(0, 5)) }),
          })),
        })}
      />
    </div>
  );
}
