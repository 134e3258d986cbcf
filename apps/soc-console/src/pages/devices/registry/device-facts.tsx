import { Link } from "../../../app/address/link.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { type Fact, Facts } from "../../../design/panel.tsx";
import { CertificateEnd } from "./device-signs.tsx";
import type { Device } from "./devices-client.ts";
import { devicesPhrases } from "./devices-phrases.ts";
import { useSiteNames } from "./use-fleet.ts";

export function DeviceFacts({ device }: { device: Device }) {
  const words = usePhrases(devicesPhrases);
  const time = useTime();
  const sites = useSiteNames();
  const facts: (Fact | false)[] = [
    { label: words.type, value: <SafeText>{device.type}</SafeText> },
    device.site !== null && {
      label: words.site,
      value: <SafeText>{sites.get(device.site) ?? device.site}</SafeText>,
    },
    { label: words.columns.status, value: words.statuses[device.status] },
    {
      label: words.lastSeen,
      value: <span title={time.dateTime(device.last_seen)}>{time.relative(device.last_seen)}</span>,
    },
  ];
  return <Facts items={facts.filter((fact) => fact !== false)} />;
}

export function FirmwareFacts({ device: { firmware } }: { device: Device }) {
  const words = usePhrases(devicesPhrases);
  const { hash, version, known } = firmware;
  if (hash === null) return <p className="soft">{words.noFirmware}</p>;
  const facts: (Fact | false)[] = [
    version !== null && { label: words.version, value: <SafeText isMono>{version}</SafeText> },
    {
      label: words.catalog,
      value: (
        <Link to="/devices/firmware" search={{ hash }} className={known ? undefined : "devices-bad"}>
          {known ? words.firmwareKnown : words.firmwareUnknown}
        </Link>
      ),
    },
    { label: words.hash, value: <SafeText isMono>{hash}</SafeText> },
  ];
  return <Facts items={facts.filter((fact) => fact !== false)} />;
}

export function CertificateFacts({ device: { certificate } }: { device: Device }) {
  const words = usePhrases(devicesPhrases);
  const time = useTime();
  if (certificate === null) return <p className="soft">{words.noCertificateText}</p>;
  return (
    <Facts
      items={[
        { label: words.columns.certificate, value: <CertificateEnd certificate={certificate} /> },
        { label: words.validUntil, value: <span className="mono">{time.dateTime(certificate.not_after)}</span> },
        { label: words.serial, value: <SafeText isMono>{certificate.serial}</SafeText> },
        { label: words.fingerprint, value: <SafeText isMono>{certificate.fingerprint}</SafeText> },
      ]}
    />
  );
}
