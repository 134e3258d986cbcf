import { usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useTime } from "../../../app/time/time-context.tsx";
import { Cell } from "../../../design/list/list-row.tsx";
import { CertificateEnd, DeviceSign, DeviceWhy, FirmwareState } from "./device-signs.tsx";
import type { Attestation, Device } from "./devices-client.ts";
import { devicesPhrases } from "./devices-phrases.ts";

/** The cells of a device: verdict, name, reason, firmware, certificate, last response, status. */
export function DeviceCells({ device, last }: { device: Device; last: Attestation | undefined }) {
  const words = usePhrases(devicesPhrases);
  const time = useTime();
  const { at } = device.attestation;
  return (
    <>
      <Cell>
        <DeviceSign device={device} last={last} />
      </Cell>
      <Cell kind="strong">
        <span className="list-title">
          <SafeText isMono>{device.name}</SafeText>
        </span>
      </Cell>
      <Cell>
        <span className="list-title">
          <DeviceWhy device={device} last={last} />
        </span>
      </Cell>
      <Cell>
        <span className="list-title">
          <FirmwareState firmware={device.firmware} />
        </span>
      </Cell>
      <Cell kind="soft">
        <CertificateEnd certificate={device.certificate} />
      </Cell>
      <Cell kind="soft">{at !== null && <span title={time.dateTime(at)}>{time.relative(at)}</span>}</Cell>
      <Cell kind="soft">{words.statuses[device.status]}</Cell>
    </>
  );
}
