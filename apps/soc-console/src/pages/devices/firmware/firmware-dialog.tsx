import { type SubmitEvent, useId, useState } from "react";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { Checkbox, TextArea, TextField } from "../../../design/field.tsx";
import { type Firmware, storeFirmware } from "./firmware-client.ts";
import { firmwarePhrases } from "./firmware-phrases.ts";
import { formatComponents, formatPcrs, isHash, parseComponents, parsePcrs } from "./firmware-text.ts";

export interface FirmwareDialogProps {
  edited: Firmware | "new" | undefined;
  /** The hash from the search. */
  hash: string;
  onClose: () => void;
  onStored: () => void;
}

export function FirmwareDialog({ edited, hash, onClose, onStored }: FirmwareDialogProps) {
  const words = usePhrases(firmwarePhrases);
  const form = useId();
  const mode = useMode();
  const [isBusy, setIsBusy] = useState(false);
  return (
    <Dialog
      title={edited === "new" ? words.add : words.addTitle}
      isOpen={edited !== undefined}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" form={form} isBusy={isBusy}>
            {mode === "dry_run" ? words.previewAdd : words.save}
          </Button>
        </>
      }
    >
      {edited !== undefined && (
        <FirmwareForm
          id={form}
          before={edited === "new" ? undefined : edited}
          hash={hash}
          onBusy={setIsBusy}
          onStored={() => {
            onStored();
            onClose();
          }}
        />
      )}
    </Dialog>
  );
}

interface FormProps {
  id: string;
  before: Firmware | undefined;
  hash: string;
  onBusy: (isBusy: boolean) => void;
  onStored: () => void;
}

/** The fields as typed. */
function useFields(before: Firmware | undefined, hash: string) {
  const [fields, setFields] = useState({
    hash: before?.hash ?? hash,
    vendor: before?.vendor ?? "",
    product: before?.product ?? "",
    version: before?.version ?? "",
    pcrs: formatPcrs(before?.pcrs ?? {}),
    components: formatComponents(before?.sbom_components ?? []),
  });
  const bind = (name: keyof typeof fields) => ({
    value: fields[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setFields((held) => ({ ...held, [name]: value }));
    },
  });
  return { fields, bind };
}

function FirmwareForm({ id, before, hash, onBusy, onStored }: FormProps) {
  const words = usePhrases(firmwarePhrases);
  const { server } = useApp();
  const { send } = useChanges();
  const { notify } = useNotices();
  const { fields, bind } = useFields(before, hash);
  const [isGood, setIsGood] = useState(before?.known_good ?? true);
  const [isTried, setIsTried] = useState(false);
  const pcrs = parsePcrs(fields.pcrs);
  const components = parseComponents(fields.components);
  const name = (line: string) => fill(words.wrongLine, { line });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (!isHash(fields.hash.trim()) || "wrong" in pcrs || "wrong" in components) return;
    onBusy(true);
    const { vendor, product, version } = fields;
    const request = {
      vendor,
      product,
      version,
      known_good: isGood,
      pcrs: pcrs.value,
      sbom_components: components.value,
    };
    const stored = await send(() => storeFirmware(server, fields.hash.trim(), request), { before }).finally(() =>
      onBusy(false),
    );
    if (!stored) return;
    notify({ tone: "ok", text: stored.approval_id ? words.waits : words.stored });
    onStored();
  };
  return (
    <form id={id} className="firmware-form" onSubmit={(event) => void submit(event)}>
      <TextField
        label={words.hash}
        required
        readOnly={before !== undefined}
        dir="ltr"
        className="mono"
        hint={words.hashHint}
        error={isTried && !isHash(fields.hash.trim()) && words.hashWrong}
        {...bind("hash")}
      />
      <div className="firmware-pair">
        <TextField label={words.columns.vendor} required maxLength={200} {...bind("vendor")} />
        <TextField label={words.columns.product} required maxLength={200} {...bind("product")} />
        <TextField label={words.columns.version} required maxLength={200} {...bind("version")} />
      </div>
      <Checkbox label={words.knownGood} checked={isGood} onChange={setIsGood} />
      <TextArea
        label={words.pcrs}
        rows={4}
        dir="ltr"
        className="mono"
        hint={words.pcrsHint}
        error={isTried && "wrong" in pcrs && name(pcrs.wrong)}
        {...bind("pcrs")}
      />
      <TextArea
        label={words.components}
        rows={4}
        dir="ltr"
        className="mono"
        hint={words.componentsHint}
        error={isTried && "wrong" in components && name(components.wrong)}
        {...bind("components")}
      />
    </form>
  );
}
