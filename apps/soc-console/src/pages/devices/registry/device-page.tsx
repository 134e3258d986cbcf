import { useQuery } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import { Link } from "../../../app/address/link.tsx";
import { useAddress } from "../../../app/address/use-address.ts";
import { ChangesProvider } from "../../../app/changes/use-changes.tsx";
import { useApp, useMay } from "../../../app/context/app-context.ts";
import { useReadAgain } from "../../../app/context/use-read-again.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { FailedPart, Page } from "../../../app/page/page.tsx";
import { safeText } from "../../../app/text/safe-text.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Panel } from "../../../design/panel.tsx";
import { EmptyState, Skeleton } from "../../../design/states.tsx";
import { EntityLink } from "../../reporting/entities/entity-link.tsx";
import { AttestationStrip } from "./attestation-strip.tsx";
import { CodeDialog } from "./code-dialog.tsx";
import { CommandButtons } from "./command-buttons.tsx";
import { CertificateFacts, DeviceFacts, FirmwareFacts } from "./device-facts.tsx";
import { DeviceSign, DeviceWhy } from "./device-signs.tsx";
import {
  type Attestation,
  DEVICES,
  type Device,
  readAttestations,
  readCorrelationsOfDevice,
  readDevice,
} from "./devices-client.ts";
import { devicesPhrases } from "./devices-phrases.ts";
import { FirmwareDifference } from "./firmware-difference.tsx";
import { RevocationPanel } from "./revocation-panel.tsx";
import { RevokeDialog } from "./revoke-dialog.tsx";
import { useDeviceVerbs } from "./use-device-verbs.ts";
import "./devices.css";

export function DevicePage() {
  const { params } = useAddress();
  const id = params.id ?? "";
  return (
    <ChangesProvider needs="cps:manage" key={id}>
      <OneDevice id={id} />
    </ChangesProvider>
  );
}

const NONE: readonly Attestation[] = [];
const REVOKING_MS = 2000;

function OneDevice({ id }: { id: string }) {
  const words = usePhrases(devicesPhrases);
  const { server } = useApp();
  const { go } = useAddress();
  const { data, error, refetch } = useQuery({
    queryKey: [DEVICES, "one", id],
    queryFn: ({ signal }) => readDevice(server, id, signal),
    // The confirmation of the broker arrives without a request.
    refetchInterval: ({ state }) => (state.data?.status === "revoking" ? REVOKING_MS : false),
  });
  useReadAgain([DEVICES], ({ type, subject_id, data: details }) => {
    return /^(?:device|attestation|correlation)\./.test(type) && (subject_id === id || details.device_id === id);
  });
  useCommands([{ id: "devices.back", label: words.back, group: words.group, keys: ["u"], run: () => go("/devices") }]);
  if (data) return <DeviceView device={data} />;
  return (
    <Page title={words.title} back={<Back />}>
      {error ? <FailedPart error={error} onRetry={() => void refetch()} /> : <Skeleton rows={10} />}
    </Page>
  );
}

function Back() {
  const words = usePhrases(devicesPhrases);
  return (
    <Link to="/devices" className="devices-back" title={words.back}>
      <ChevronLeft aria-hidden="true" />
      {words.title}
    </Link>
  );
}

function DeviceView({ device }: { device: Device }) {
  const words = usePhrases(devicesPhrases);
  const { server } = useApp();
  const attestations = useQuery({
    queryKey: [DEVICES, "one-attestations", device.id],
    queryFn: ({ signal }) => readAttestations(server, { device_id: device.id }, signal),
  });
  const items = attestations.data?.items ?? NONE;
  const last = items[0];
  const verbs = useDeviceVerbs();
  const commands = verbs.build(device);
  useCommands(commands);
  return (
    <Page
      title={`\u2066${safeText(device.name)}\u2069`}
      back={<Back />}
      tabs={<DeviceSign device={device} last={last} />}
      tools={<CommandButtons commands={commands} />}
    >
      <p className="devices-why">
        <DeviceWhy device={device} last={last} />
      </p>
      <div className="devices-wide">
        {(device.status === "revoking" || device.status === "revoked") && <RevocationPanel device={device} />}
        <Panel title={words.attestations} aside={attestations.data?.total}>
          {attestations.error && <FailedPart error={attestations.error} onRetry={() => void attestations.refetch()} />}
          {attestations.data && items.length === 0 && (
            <EmptyState title={words.noAttestations} text={words.noAttestationsText} />
          )}
          {items.length > 0 && <AttestationStrip attestations={items} />}
        </Panel>
      </div>
      <div className="devices-parts">
        <Panel title={words.columns.firmware}>
          <FirmwareFacts device={device} />
          <FirmwareDifference device={device} attestations={items} />
        </Panel>
        <Panel title={words.columns.certificate}>
          <CertificateFacts device={device} />
        </Panel>
        <Panel title={words.group}>
          <DeviceFacts device={device} />
          <HostLinks name={device.name} />
        </Panel>
        <Correlated device={device} />
      </div>
      <RevokeDialog device={verbs.revoked} last={last} onClose={verbs.close} />
      <CodeDialog enrolled={verbs.enrolled} onClose={verbs.close} />
    </Page>
  );
}

/** The logs whose host is the name of the device. */
function HostLinks({ name }: { name: string }) {
  const words = usePhrases(devicesPhrases);
  const [mayHunt, mayReadAlerts] = [useMay("siem:search"), useMay("alerts:read")];
  const quoted = `"${name.replaceAll(/[\\"]/g, (sign) => `\\${sign}`)}"`;
  return (
    <p className="devices-links">
      {mayHunt && (
        <Link to="/hunt" search={{ q: `host:${quoted}` }}>
          {words.events}
        </Link>
      )}
      {mayReadAlerts && (
        <EntityLink kind="host" value={name}>
          {words.everything}
        </EntityLink>
      )}
    </p>
  );
}

function Correlated({ device }: { device: Device }) {
  const words = usePhrases(devicesPhrases);
  const { server } = useApp();
  const { data, error, refetch } = useQuery({
    queryKey: [DEVICES, "correlations", device.id],
    queryFn: ({ signal }) => readCorrelationsOfDevice(server, device.id, signal),
  });
  return (
    <Panel title={words.correlations} aside={data?.total}>
      {error && <FailedPart error={error} onRetry={() => void refetch()} />}
      {data?.items.length === 0 && <p className="soft">{words.noCorrelations}</p>}
      <ul className="devices-correlations">
        {data?.items.map(({ id, reason }) => (
          <li key={id}>
            <Link to="/correlations" search={{ device_id: device.id, pane: id }}>
              <SafeText>{reason}</SafeText>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
