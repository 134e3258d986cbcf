import { Cpu, FileCode } from "lucide-react";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Badge, type Tone } from "../../../design/chip.tsx";
import { type DotShape, StatusDot } from "../../../design/severity.tsx";
import type { Attestation, Device, Verdict } from "./devices-client.ts";
import { devicesPhrases } from "./devices-phrases.ts";
import { readWhy } from "./verdicts.ts";

export const VERDICT_SIGNS: Readonly<Record<Verdict, [DotShape, Tone]>> = {
  trusted: ["check", "ok"],
  untrusted: ["cross", "critical"],
  stale: ["half", "waiting"],
  failed: ["ring", "high"],
};

export interface VerdictSignProps {
  verdict: Verdict | null;
  kind: Attestation["kind"] | undefined;
}

/** A TPM verdict is filled and has a chip; a software verdict is dashed. They never look alike. */
export function VerdictSign({ verdict, kind }: VerdictSignProps) {
  const words = usePhrases(devicesPhrases);
  if (verdict === null) return <span className="soft">{words.notAttested}</span>;
  const [shape, tone] = VERDICT_SIGNS[verdict];
  const Icon = kind === "tpm" ? Cpu : FileCode;
  return (
    <span
      className={`devices-verdict devices-${kind ?? "unknown"} tone-${tone}`}
      title={kind && words.kindMeanings[kind]}
    >
      <StatusDot shape={shape} tone={tone} />
      {words.verdicts[verdict]}
      {kind && (
        <span className="devices-kind">
          <Icon size={12} aria-hidden="true" />
          {words.kinds[kind]}
        </span>
      )}
    </span>
  );
}

/** The verdict of a device. For a revoked device, the revocation replaces the verdict. */
export function DeviceSign({ device, last }: { device: Device; last: Attestation | undefined }) {
  const words = usePhrases(devicesPhrases);
  const { status, attestation } = device;
  if (status !== "revoking" && status !== "revoked")
    return <VerdictSign verdict={attestation.verdict} kind={last?.kind} />;
  return <Badge tone={status === "revoked" ? "failed" : "waiting"}>{words.statuses[status]}</Badge>;
}

/** The most important fact about a device. */
export function DeviceWhy({ device, last }: { device: Device; last: Attestation | undefined }) {
  const words = usePhrases(devicesPhrases);
  const why = readWhy(device, last);
  if (why.kind !== "reason") return words.why[why.kind];
  return why.text === "" ? words.noReason : <SafeText>{why.text}</SafeText>;
}

export function CertificateEnd({ certificate }: Pick<Device, "certificate">) {
  const words = usePhrases(devicesPhrases);
  const time = useTime();
  if (certificate === null) return <span className="soft">{words.noCertificate}</span>;
  const { status, not_after } = certificate;
  if (status === "revoked") return <span className="devices-bad">{words.certificateStatuses.revoked}</span>;
  return (
    <span className={status === "expired" ? "devices-bad" : undefined} title={time.dateTime(not_after)}>
      {fill(status === "expired" ? words.ended : words.ends, { age: time.relative(not_after) })}
    </span>
  );
}

export function FirmwareState({ firmware }: Pick<Device, "firmware">) {
  const words = usePhrases(devicesPhrases);
  if (firmware.hash === null) return <span className="soft">{words.noFirmware}</span>;
  return (
    <span className="devices-firmware">
      {firmware.version !== null && <SafeText isMono>{firmware.version}</SafeText>}
      {!firmware.known && <span className="devices-bad">{words.firmwareUnknown}</span>}
    </span>
  );
}
