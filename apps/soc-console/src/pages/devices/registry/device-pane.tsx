import { Link } from "../../../app/address/link.tsx";
import type { Command } from "../../../app/keys/commands.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { CommandButtons } from "./command-buttons.tsx";
import { CertificateFacts, DeviceFacts, FirmwareFacts } from "./device-facts.tsx";
import { DeviceSign, DeviceWhy } from "./device-signs.tsx";
import type { Attestation, Device } from "./devices-client.ts";
import { devicesPhrases } from "./devices-phrases.ts";

export interface DevicePaneProps {
  device: Device;
  last: Attestation | undefined;
  commands: readonly Command[];
}

/** A device in the pane: first the reason of its verdict, then its facts. */
export function DevicePane({ device, last, commands }: DevicePaneProps) {
  const words = usePhrases(devicesPhrases);
  return (
    <>
      <p className="devices-head">
        <DeviceSign device={device} last={last} />
        <span className="soft">{words.statuses[device.status]}</span>
      </p>
      <p className="devices-why">
        <DeviceWhy device={device} last={last} />
      </p>
      <h2 className="devices-name">
        <Link to={`/devices/${device.id}`}>
          <SafeText isMono>{device.name}</SafeText>
        </Link>
      </h2>
      {commands.length > 0 && (
        <div className="devices-verbs">
          <CommandButtons commands={commands} />
        </div>
      )}
      <DeviceFacts device={device} />
      <h3 className="devices-part">{words.columns.firmware}</h3>
      <FirmwareFacts device={device} />
      <h3 className="devices-part">{words.columns.certificate}</h3>
      <CertificateFacts device={device} />
    </>
  );
}
