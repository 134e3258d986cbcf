import { CommandButton } from "../../../app/keys/command-button.tsx";
import type { Command } from "../../../app/keys/commands.ts";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { Facts } from "../../../design/panel.tsx";
import { StatusDot } from "../../../design/severity.tsx";
import type { Firmware } from "./firmware-client.ts";
import { firmwarePhrases } from "./firmware-phrases.ts";

/** A catalog entry in the pane, with all PCRs and components. */
export function FirmwarePane({ firmware, commands }: { firmware: Firmware; commands: readonly Command[] }) {
  const words = usePhrases(firmwarePhrases);
  const { count } = useNumbers();
  const pcrs = Object.entries(firmware.pcrs).toSorted(([a], [b]) => Number(a) - Number(b));
  return (
    <div className="firmware-pane">
      <p className="firmware-state">
        <StatusDot shape={firmware.known_good ? "check" : "cross"} tone={firmware.known_good ? "ok" : "critical"} />
        {firmware.approval_id ? words.waits : firmware.known_good ? words.good : words.withdrawn}
      </p>
      <h2 className="firmware-name">
        <SafeText>{`${firmware.product} ${firmware.version}`}</SafeText>
      </h2>
      <p className="firmware-verbs">
        {commands.map((command) => (
          <CommandButton key={command.id} command={command} />
        ))}
      </p>
      <Facts
        items={[
          { label: words.columns.vendor, value: <SafeText>{firmware.vendor}</SafeText> },
          { label: words.columns.devices, value: count(firmware.devices, words.devices) },
          { label: words.hash, value: <SafeText isMono>{firmware.hash}</SafeText> },
        ]}
      />
      <h3 className="firmware-part">{words.pcrs}</h3>
      {pcrs.length === 0 ? (
        <p className="soft">{words.noPcrs}</p>
      ) : (
        <Facts
          items={pcrs.map(([index, value]) => ({ label: `PCR ${index}`, value: <SafeText isMono>{value}</SafeText> }))}
        />
      )}
      <h3 className="firmware-part">{words.components}</h3>
      {firmware.sbom_components.length === 0 && <p className="soft">{words.noComponents}</p>}
      <ul className="firmware-components">
        {firmware.sbom_components.map(({ name, version }) => (
          <li key={`${name} ${version}`}>
            <SafeText isMono>{`${name} ${version}`}</SafeText>
          </li>
        ))}
      </ul>
    </div>
  );
}
