import { useState } from "react";
import { Avatar } from "../../../design/avatar.tsx";
import { Button } from "../../../design/button.tsx";
import { Badge, Chip, type Tone } from "../../../design/chip.tsx";
import { Panel } from "../../../design/panel.tsx";
import { type DotShape, type Severity, SeveritySign, StatusDot } from "../../../design/severity.tsx";
import { EmptyState, ErrorState, Notice, Skeleton, Stale } from "../../../design/states.tsx";

const TONES: Tone[] = ["critical", "high", "medium", "low", "info", "ok", "waiting", "running", "failed", "plain"];
const SEVERITIES: Severity[] = ["critical", "high", "medium", "low", "info"];
const SHAPES: DotShape[] = ["ring", "half", "full", "check", "cross"];

function Signs() {
  return (
    <Panel title="Signs">
      <div className="gallery-row">
        {SEVERITIES.map((severity) => (
          <SeveritySign key={severity} severity={severity} label={severity} />
        ))}
        {SHAPES.map((shape) => (
          <StatusDot key={shape} shape={shape} />
        ))}
        <StatusDot shape="full" tone="running" />
        <StatusDot shape="check" tone="ok" />
        <StatusDot shape="cross" tone="failed" />
        <Avatar name="Layla Aziz" />
        <Avatar name="ليلى عزيز" />
      </div>
      <div className="gallery-row">
        {TONES.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
      </div>
      <div className="gallery-row">
        <Chip field="host" value="fin-ws-014" onRemove={() => undefined} removeLabel="Remove host" />
        <Chip field="severity" value="critical" tone="critical" />
        <Chip value="words" />
      </div>
    </Panel>
  );
}

function Waiting() {
  const [isStale, setIsStale] = useState(false);
  return (
    <Panel title="Waiting" aside="first visit, then dimmed">
      <Skeleton rows={3} />
      <Stale isStale={isStale}>
        <p>What was there stays.</p>
      </Stale>
      <Button size="s" onClick={() => setIsStale((before) => !before)}>
        Stale
      </Button>
    </Panel>
  );
}

export function GalleryStates() {
  return (
    <>
      <Signs />
      <Waiting />
      <Panel title="Notices">
        <div className="gallery-stack">
          {TONES.filter((tone) => ["ok", "waiting", "running", "failed", "plain"].includes(tone)).map((tone) => (
            <Notice key={tone} tone={tone} action={<Button size="s">Undo</Button>}>
              Notice {tone}
            </Notice>
          ))}
          <ErrorState
            title="Could not read the alerts"
            text="The database does not answer."
            requestId="01JCVB8Q7Z"
            retryLabel="Try again"
            onRetry={() => undefined}
          />
        </div>
      </Panel>
      <Panel title="Empty">
        <EmptyState title="Queue clear since 19:02" text="New alerts appear here." action={<Button>Show all</Button>} />
      </Panel>
    </>
  );
}
