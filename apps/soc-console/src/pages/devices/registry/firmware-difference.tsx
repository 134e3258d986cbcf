import { useQuery } from "@tanstack/react-query";
import { useApp } from "../../../app/context/app-context.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { type Attestation, DEVICES, type Device, readFirmwareByHash } from "./devices-client.ts";
import { devicesPhrases } from "./devices-phrases.ts";
import { compareFirmware, type ValueDifference } from "./verdicts.ts";

function useFirmware(hash: string | null | undefined) {
  const { server } = useApp();
  const { data } = useQuery({
    queryKey: [DEVICES, "firmware", hash ?? ""],
    queryFn: async ({ signal }) => (await readFirmwareByHash(server, hash ?? "", signal)).items[0] ?? null,
    enabled: typeof hash === "string",
  });
  return data;
}

export interface FirmwareDifferenceProps {
  device: Device;
  attestations: readonly Attestation[];
}

/** Differences between the current firmware and the last trusted one, from the catalog. */
export function FirmwareDifference({ device, attestations }: FirmwareDifferenceProps) {
  const words = usePhrases(devicesPhrases);
  const { hash } = device.firmware;
  const before = attestations.find(
    ({ verdict, firmware_hash }) => verdict === "trusted" && firmware_hash !== null && firmware_hash !== hash,
  );
  const [present, trusted] = [useFirmware(hash), useFirmware(before?.firmware_hash)];
  if (hash === null || device.attestation.verdict === "trusted" || present === undefined) return null;
  if (present === null) return <p className="soft">{words.quotedNotKept}</p>;
  if (!trusted) return null;
  const { pcrs, components } = compareFirmware(trusted, present);
  return (
    <>
      <h3 className="devices-part">{words.pcrDifference}</h3>
      {pcrs.length + components.length === 0 && <p className="soft">{words.noDifference}</p>}
      <Differences label={words.pcr} items={pcrs.map((item) => ({ ...item, name: `${words.pcr} ${item.name}` }))} />
      <Differences label={words.components} items={components} />
    </>
  );
}

function Differences({ label, items }: { label: string; items: readonly ValueDifference[] }) {
  const words = usePhrases(devicesPhrases);
  if (items.length === 0) return null;
  return (
    <table className="devices-differences" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{label}</th>
          <th scope="col">{words.expected}</th>
          <th scope="col">{words.present}</th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ name, expected, actual }) => (
          <tr key={name}>
            <th scope="row">
              <SafeText isMono>{name}</SafeText>
            </th>
            <td>{expected === undefined ? words.absent : <SafeText isMono>{expected}</SafeText>}</td>
            <td>{actual === undefined ? words.absent : <SafeText isMono>{actual}</SafeText>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
