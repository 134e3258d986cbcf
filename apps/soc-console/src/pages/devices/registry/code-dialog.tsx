import { type SubmitEvent, useId, useState } from "react";
import { useChanges } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { fill, usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import { copyText } from "../../../app/text/copy.ts";
import { SafeText } from "../../../app/text/safe-text-view.tsx";
import { useNow, useTime } from "../../../app/time/time-context.tsx";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { SelectField, TextField } from "../../../design/field.tsx";
import { type CodeRequest, createCode, type Device, type NewCode } from "./devices-client.ts";
import { devicesPhrases } from "./devices-phrases.ts";
import { enrolmentPhrases } from "./enrolment-phrases.ts";
import { useSiteNames } from "./use-fleet.ts";

export interface CodeDialogProps {
  /** Target of the code: a new device, or a known one. */
  enrolled: Device | "new" | undefined;
  onClose: () => void;
}

/** Creates an enrolment code and shows it once. */
export function CodeDialog({ enrolled, onClose }: CodeDialogProps) {
  const words = { ...usePhrases(devicesPhrases), ...usePhrases(enrolmentPhrases) };
  const form = useId();
  const mode = useMode();
  const [isBusy, setIsBusy] = useState(false);
  const [created, setCreated] = useState<NewCode>();
  const close = () => {
    setCreated(undefined);
    onClose();
  };
  return (
    <Dialog
      title={enrolled === "new" ? words.codeTitle : words.codeAgainTitle}
      isOpen={enrolled !== undefined}
      onClose={close}
      actions={
        created ? (
          <Button onClick={close}>{words.close}</Button>
        ) : (
          <>
            <Button onClick={close}>{words.cancel}</Button>
            <Button kind="primary" type="submit" form={form} isBusy={isBusy}>
              {mode === "dry_run" ? words.previewCode : words.create}
            </Button>
          </>
        )
      }
    >
      {created && <ShownCode created={created} />}
      {!created && enrolled !== undefined && (
        <CodeForm id={form} enrolled={enrolled} onBusy={setIsBusy} onCreated={setCreated} />
      )}
    </Dialog>
  );
}

interface FormProps {
  id: string;
  enrolled: Device | "new";
  onBusy: (isBusy: boolean) => void;
  onCreated: (created: NewCode) => void;
}

function CodeForm({ id, enrolled, onBusy, onCreated }: FormProps) {
  const words = { ...usePhrases(devicesPhrases), ...usePhrases(enrolmentPhrases) };
  const { server } = useApp();
  const { send } = useChanges();
  const sites = useSiteNames();
  const [name, setName] = useState("");
  const [type, setType] = useState("player");
  const [site, setSite] = useState("");
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    onBusy(true);
    const request: CodeRequest =
      enrolled === "new" ? { name: name.trim(), type, ...(site !== "" && { site }) } : { device_id: enrolled.id };
    const created = await send(() => createCode(server, request)).finally(() => onBusy(false));
    if (created) onCreated(created);
  };
  return (
    <form id={id} className="devices-form" onSubmit={(event) => void submit(event)}>
      {enrolled === "new" ? (
        <>
          <TextField
            label={words.codeName}
            required
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <div className="devices-pair">
            <TextField
              label={words.codeType}
              required
              pattern="[a-z][a-z0-9_\-]{0,49}"
              hint={words.codeTypeHint}
              value={type}
              onChange={(event) => setType(event.currentTarget.value)}
            />
            {sites.size > 0 && (
              <SelectField
                label={words.site}
                value={site}
                onChange={setSite}
                options={[
                  { value: "", label: words.noSite },
                  ...[...sites].map(([value, label]) => ({ value, label })),
                ]}
              />
            )}
          </div>
        </>
      ) : (
        <p>{words.codeAgainText}</p>
      )}
    </form>
  );
}

/** The service returns the code only once, and no list contains it. */
function ShownCode({ created }: { created: NewCode }) {
  const words = { ...usePhrases(devicesPhrases), ...usePhrases(enrolmentPhrases) };
  const time = useTime();
  const { notify } = useNotices();
  const leftMs = Date.parse(created.expires_at) - useNow().getTime();
  const copy = async (text: string) => {
    await copyText(text);
    notify({ tone: "ok", text: words.copied });
  };
  return (
    <div className="devices-form">
      <section className="devices-code" aria-label={words.code}>
        <h3 className="devices-effect-title">{words.code}</h3>
        <p className={leftMs > 0 ? "devices-code-text" : "devices-code-text devices-code-over"}>
          <SafeText isMono>{created.code}</SafeText>
          <Button size="s" onClick={() => void copy(created.code)}>
            {words.copy}
          </Button>
        </p>
        <p className="soft">{words.codeOnce}</p>
        <p className={leftMs > 0 ? "soft" : "devices-bad"} role="timer">
          {leftMs > 0 ? fill(words.codeEnds, { time: time.duration(leftMs) }) : words.codeEnded}
        </p>
      </section>
      <section aria-label={words.authority}>
        <h3 className="devices-effect-title">{words.authority}</h3>
        <p className="devices-code-print">
          <SafeText isMono>{created.authority_fingerprint}</SafeText>
          <Button size="s" onClick={() => void copy(created.authority_fingerprint)}>
            {words.copy}
          </Button>
        </p>
        <p className="soft">{words.authorityHint}</p>
      </section>
    </div>
  );
}
