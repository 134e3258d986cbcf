import { Plus } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { Avatar } from "../../../design/avatar.tsx";
import { Button, IconButton } from "../../../design/button.tsx";
import { Histogram } from "../../../design/charts/histogram.tsx";
import { Badge, Chip } from "../../../design/chip.tsx";
import { KeyCaps } from "../../../design/key-cap.tsx";
import type { ListColumn } from "../../../design/list/column.ts";
import { Cell } from "../../../design/list/list-row.tsx";
import { extendRange, NONE_SELECTED, toggleRow } from "../../../design/list/selection.ts";
import { useListPages } from "../../../design/list/use-list-pages.ts";
import { WindowList } from "../../../design/list/window-list.tsx";
import { Menu } from "../../../design/menu.tsx";
import { Facts } from "../../../design/panel.tsx";
import { SeveritySign, StatusDot } from "../../../design/severity.tsx";
import { Split } from "../../../design/split.tsx";
import { EmptyState } from "../../../design/states.tsx";
import { TabLinks } from "../../../design/tabs.tsx";
import { type GalleryAlert, HOURS, makeAlert, SPAN } from "./gallery-data.ts";

const TOTAL = 100_000;
const PAGE = 100;

/** Pages of made-up alerts, each after the time a service takes. */
async function readAlerts(cursor: string | undefined) {
  const start = Number(cursor ?? 0);
  const rows = Array.from({ length: Math.min(PAGE, TOTAL - start) }, (_, row) => makeAlert(start + row));
  const end = start + rows.length;
  return { rows, next: end < TOTAL ? String(end) : undefined, total: TOTAL };
}

function renderAlert(alert: GalleryAlert) {
  return (
    <>
      <SeveritySign severity={alert.severity} label={alert.severity} />
      <Cell kind="mono">{alert.time}</Cell>
      <Cell kind="strong">
        <span className="gallery-cut">{alert.title}</span>
      </Cell>
      <Cell kind="mono">
        <bdi dir="ltr">{alert.host}</bdi>
      </Cell>
      <Cell kind="mono" align="end">
        {alert.count > 1 && alert.count}
      </Cell>
      <Cell kind="soft">
        <StatusDot shape={alert.dot} tone={alert.dot === "full" ? "running" : "plain"} />
        {alert.status}
      </Cell>
      <Cell>{alert.assignee && <Avatar name={alert.assignee} />}</Cell>
    </>
  );
}

const readKey = (alert: GalleryAlert) => alert.id;
const nameCheck = (alert: GalleryAlert) => `Select ${alert.title}`;

function useColumns(): ListColumn[] {
  const [sort, setSort] = useState<"asc" | "desc">("desc");
  return useMemo(
    () => [
      { key: "severity", title: "Severity", width: "16px", isTitleHidden: true },
      {
        key: "time",
        title: "Last seen",
        width: "68px",
        isSortable: true,
        sort,
        onSort: () => setSort((before) => (before === "asc" ? "desc" : "asc")),
      },
      { key: "title", title: "Title", width: "minmax(160px, 1fr)" },
      { key: "host", title: "Host", width: "96px" },
      { key: "count", title: "×", width: "40px", align: "end" },
      { key: "status", title: "Status", width: "112px" },
      { key: "assignee", title: "Assignee", width: "24px", isTitleHidden: true },
    ],
    [sort],
  );
}

function AlertPane({ alert }: { alert: GalleryAlert }) {
  return (
    <div className="gallery-pane">
      <p className="gallery-line">
        <Badge tone={alert.severity}>
          <SeveritySign severity={alert.severity} label="" />
          {alert.severity}
        </Badge>
        <span className="soft">detection · rule v14 · 23 matches</span>
      </p>
      <h2 className="gallery-heading">{alert.title}</h2>
      <p className="soft">{alert.host} · m.haddad · first 18:37, last 19:36 UTC</p>
      <div className="gallery-row">
        <Button kind="primary" keys={["P"]}>
          Preview promote
        </Button>
        <Button keys={["A"]}>Take</Button>
        <Button keys={["E"]}>Resolve</Button>
        <Menu
          label="More"
          trigger={<Button keys={["."]}>More</Button>}
          items={[
            { label: "Link to case", keys: ["L"], onSelect: () => undefined },
            { label: "Suppress", onSelect: () => undefined },
            { label: "Isolate host", isDisabled: true, reason: "Not in dummy mode", onSelect: () => undefined },
            { label: "Delete", isDanger: true, onSelect: () => undefined },
          ]}
        />
      </div>
      <Facts
        items={[
          { label: "Technique", value: <span className="mono">T1059.001 PowerShell</span> },
          { label: "Endpoint", value: <span className="mono">online · not isolated</span> },
          { label: "Indicators", value: <span className="mono">203.0.113.44 · 2 hits</span> },
        ]}
      />
    </div>
  );
}

export function GalleryList() {
  const columns = useColumns();
  const pages = useListPages("gallery", readAlerts);
  const [cursor, setCursor] = useState<{ key: string; index: number }>({ key: "alert-2", index: 2 });
  const [selected, setSelected] = useState(NONE_SELECTED);
  const toggle = useCallback((key: string) => setSelected((before) => toggleRow(before, key)), []);
  const extend = useCallback((keys: string[]) => setSelected((before) => extendRange(before, keys)), []);
  const alert = pages.rowAt(cursor.index);
  return (
    <section className="gallery-list" aria-label="List">
      <div className="gallery-row">
        <TabLinks
          label="Views"
          items={[
            { label: "Needs me", count: 214, isCurrent: true },
            { label: "Unassigned", count: "1,066", isCurrent: false },
            { label: "Critical", count: 9, isCurrent: false },
          ]}
        />
        <IconButton label="New view" icon={<Plus />} size="s" />
      </div>
      <div className="gallery-row">
        <Chip field="status" value="(new OR triaged)" onRemove={() => undefined} removeLabel="Remove status" />
        <Chip field="severity" value=">=low" />
      </div>
      <Histogram
        label="Alerts by time"
        buckets={HOURS}
        {...SPAN}
        describe={({ at, parts }) =>
          `${at.slice(11, 16)} · ${parts.map((part) => `${part.key} ${part.value}`).join(", ")}`
        }
        onRange={() => undefined}
        onReset={() => undefined}
        ticks={["20:00", "02:00", "08:00", "14:00", "20:00"]}
      />
      <div className="gallery-split">
        <Split
          paneLabel="Alert"
          pane={alert && <AlertPane alert={alert} />}
          main={
            <WindowList
              label="Alerts"
              columns={columns}
              pages={pages}
              rowKey={readKey}
              renderRow={renderAlert}
              cursor={cursor.key}
              onCursor={(key, index) => setCursor({ key, index })}
              selected={selected}
              onToggle={toggle}
              onExtend={extend}
              onOpen={() => undefined}
              empty={<EmptyState title="Nothing" />}
              checkLabel={nameCheck}
              footer={
                <>
                  <KeyCaps keys={["J", "K"]} /> move · {pages.count} of {pages.total}
                </>
              }
            />
          }
        />
      </div>
    </section>
  );
}
