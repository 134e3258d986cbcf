import type { MonitoringBody, MonitoringState, RemovalBody } from "@player/service/contract/monitoring";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { counted } from "../../app/language/numbers.ts";
import { Button } from "../../design/button.tsx";
import { Dialog, Panel } from "../../design/layout.tsx";
import { momentWords } from "./moment-words.ts";
import { monitoringPhrases } from "./monitoring-phrases.ts";
import type { PlatformKeeps } from "./removed-note.tsx";

type OnRemoved = (keeps: PlatformKeeps | undefined) => void;

const LOOKS: Readonly<Record<MonitoringState, string>> = {
  off: "",
  enrolling: "",
  on: "news-well",
  waiting: "news-noted",
  expired: "news-hurt",
  refused: "news-hurt",
};

export function StatePanel({ status, onRemoved }: { status: MonitoringBody; onRemoved: OnRemoved }) {
  const phrases = usePhrases(monitoringPhrases);
  const { title, hint } = phrases.states[status.state];
  return (
    <Panel title={phrases.status}>
      <div class="stack">
        <div class={`news ${LOOKS[status.state]}`} role="status">
          <p>
            <strong>{title}</strong>
          </p>
          <p>{hint}</p>
          {status.last_error !== null && (
            <p class="monitoring-reason">
              {phrases.reason}{" "}
              <bdi lang="en" dir="ltr">
                {status.last_error}
              </bdi>
            </p>
          )}
        </div>
        {status.address !== null && <Facts status={status} />}
        {status.address !== null && <RemoveButton onRemoved={onRemoved} />}
      </div>
    </Panel>
  );
}

function Facts({ status }: { status: MonitoringBody }) {
  const { live } = useApp();
  const phrases = usePhrases(monitoringPhrases);
  const language = useLanguage();
  const { address, device_id, certificate_ends_at, last_attested_at, broker, events } = status;
  const clock = live.settings.view.value;
  const moment = (at: number | null) => (at === null ? phrases.never : momentWords(clock, at, language));
  const waiting = events.waiting === 0 ? phrases.none : counted(events.waiting, phrases.events, language);
  const lost = events.dropped === 0 ? "" : ` (${counted(events.dropped, phrases.dropped, language)})`;
  return (
    <dl class="monitoring-facts">
      <Fact name={phrases.address}>
        <bdi dir="ltr">{address}</bdi>
      </Fact>
      <Fact name={phrases.deviceId}>
        <bdi dir="ltr">{device_id}</bdi>
      </Fact>
      <Fact name={phrases.connection}>{phrases.connections[broker]}</Fact>
      <Fact name={phrases.lastAttested}>{moment(last_attested_at)}</Fact>
      <Fact name={phrases.certificateEnds}>{moment(certificate_ends_at)}</Fact>
      <Fact name={phrases.eventsWaiting}>
        {waiting}
        {lost}
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="monitoring-fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function RemoveButton({ onRemoved }: { onRemoved: OnRemoved }) {
  const { api, commands } = useApp();
  const phrases = usePhrases(monitoringPhrases);
  const [isAsking, setAsking] = useState(false);

  async function remove(): Promise<void> {
    setAsking(false);
    await commands.run(async () => {
      const { platform_keeps } = await api.removeAndRead<RemovalBody>("/monitoring");
      onRemoved(platform_keeps ?? undefined);
    });
  }

  return (
    <div class="actions">
      <Button kind="danger" icon="bin" needsToken onClick={() => setAsking(true)}>
        {phrases.remove}
      </Button>
      {isAsking && (
        <Dialog title={phrases.removeAsk} onClose={() => setAsking(false)}>
          <div class="stack">
            <p>{phrases.removeHint}</p>
            <div class="actions">
              <Button kind="danger" icon="bin" onClick={() => void remove()}>
                {phrases.removeNow}
              </Button>
              <Button kind="quiet" onClick={() => setAsking(false)}>
                {phrases.keep}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </div>
  );
}
