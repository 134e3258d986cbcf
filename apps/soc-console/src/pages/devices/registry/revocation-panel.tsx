import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useApp, useMay } from "../../../app/context/app-context.ts";
import { fill, isolated, usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Panel } from "../../../design/panel.tsx";
import { StatusDot } from "../../../design/severity.tsx";
import { DEVICES, type Device, readRevocation } from "./devices-client.ts";
import { devicesPhrases } from "./devices-phrases.ts";
import { readProof } from "./verdicts.ts";

/** Who requested the revocation, and the proof that CRL and broker enforce it. */
export function RevocationPanel({ device }: { device: Device }) {
  const { proof: words } = usePhrases(devicesPhrases);
  const { server } = useApp();
  const time = useTime();
  const mayAudit = useMay("audit:read");
  const isDone = device.status === "revoked";
  const { data } = useQuery({
    queryKey: [DEVICES, "revocation", device.id, device.status],
    queryFn: ({ signal }) => readRevocation(server, device.id, signal),
    enabled: mayAudit,
  });
  const { begun, confirmed } = readProof(data?.items ?? []);
  const broker = confirmed && !confirmed.isVerified ? words.brokerNone : words.brokerDone;
  const at = confirmed && fill(words.at, { time: isolated(time.dateTime(confirmed.at)) });
  return (
    <Panel title={words.title}>
      <ol className="devices-proof">
        <Step isDone name={words.asked}>
          {begun && fill(words.askedBy, { name: isolated(begun.by), time: isolated(time.dateTime(begun.at)) })}
        </Step>
        <Step isDone={isDone} name={words.list}>
          {isDone ? words.listDone : words.listWaits}
          {isDone && device.certificate && <SafeText isMono>{device.certificate.serial}</SafeText>}
        </Step>
        <Step isDone={isDone} name={words.broker}>
          {isDone ? broker : words.brokerWaits}
          {isDone && at !== undefined && <span className="soft">{at}</span>}
        </Step>
      </ol>
    </Panel>
  );
}

function Step({ isDone, name, children }: { isDone: boolean; name: string; children: ReactNode }) {
  return (
    <li className={isDone ? "devices-step" : "devices-step devices-step-waits"}>
      <StatusDot shape={isDone ? "check" : "half"} tone={isDone ? "ok" : "waiting"} />
      <strong>{name}</strong>
      <span className="devices-step-text">{children}</span>
    </li>
  );
}
