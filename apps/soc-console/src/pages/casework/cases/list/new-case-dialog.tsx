import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useId, useState } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useChanges } from "../../../../app/changes/use-changes.tsx";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { useMode } from "../../../../app/mode/use-mode.ts";
import { useNotices } from "../../../../app/notices/notices.tsx";
import type { ApiError } from "../../../../app/server/api-error.ts";
import { useSites } from "../../../../app/sites/use-sites.ts";
import { Button } from "../../../../design/button.tsx";
import { Dialog } from "../../../../design/dialog.tsx";
import { SelectField, TextArea, TextField } from "../../../../design/field.tsx";
import { type Case, caseKeys, SEVERITIES, useCasesClient } from "../cases-client.ts";
import { casesPhrases } from "../cases-phrases.ts";
import { listPhrases } from "../list-phrases.ts";

const STALE_MS = 300_000;

export function NewCaseDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(listPhrases) };
  const form = useId();
  const mode = useMode();
  const [isBusy, setIsBusy] = useState(false);
  return (
    <Dialog
      title={words.newCase}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" form={form} isBusy={isBusy}>
            {mode === "dry_run" ? words.previewCreate : words.create}
          </Button>
        </>
      }
    >
      {isOpen && <NewCaseForm id={form} onBusy={setIsBusy} onClose={onClose} />}
    </Dialog>
  );
}

interface FormProps {
  id: string;
  onBusy: (isBusy: boolean) => void;
  onClose: () => void;
}

function NewCaseForm({ id, onBusy, onClose }: FormProps) {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(listPhrases) };
  const client = useCasesClient();
  const { go } = useAddress();
  const { send } = useChanges();
  const { notify } = useNotices();
  const names = useSites().map(({ name }) => name);
  const { data: templates } = useQuery({
    queryKey: caseKeys.templates,
    queryFn: ({ signal }) => client.templates(signal),
    staleTime: STALE_MS,
    retry: false,
  });
  const [title, setTitle] = useState("");
  const [description, setDescription] = useState("");
  const [severity, setSeverity] = useState<Case["severity"] | "">("");
  const [template, setTemplate] = useState("");
  const [site, setSite] = useState("");
  const [siteError, setSiteError] = useState<string>();
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (title.trim() === "") return;
    onBusy(true);
    const request = {
      title: title.trim(),
      ...(description !== "" && { description }),
      ...(severity !== "" && { severity }),
      ...(template !== "" && { template_id: template }),
      ...(site.trim() !== "" && { site: site.trim() }),
    };
    // A user of several sites must choose one; the service reports a missing site.
    const onRefused = ({ field, message }: ApiError) => {
      setSiteError(field === "site" ? message : undefined);
      return field === "site";
    };
    const opened = await send(() => client.create(request), { onRefused }).finally(() => onBusy(false));
    if (!opened) return;
    notify({ tone: "ok", text: words.created });
    onClose();
    go(`/cases/${opened.id}`);
  };
  return (
    <form id={id} className="cases-form" onSubmit={(event) => void submit(event)}>
      <TextField
        label={words.title}
        required
        maxLength={500}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <div className="cases-form-pair">
        <SelectField
          label={words.severity}
          value={severity}
          onChange={setSeverity}
          options={[
            { value: "", label: words.fields.severity },
            ...SEVERITIES.map((value) => ({ value, label: words.severities[value] })),
          ]}
        />
        <SelectField
          label={words.template}
          value={template}
          onChange={setTemplate}
          options={[
            { value: "", label: words.noTemplate },
            ...(templates?.items ?? []).map(({ id: value, name }) => ({ value, label: name })),
          ]}
        />
      </div>
      {(names.length > 0 || siteError !== undefined) && (
        <TextField
          label={words.site}
          list={`${id}-sites`}
          maxLength={100}
          placeholder={words.noSite}
          error={siteError}
          value={site}
          onChange={(event) => setSite(event.currentTarget.value)}
        />
      )}
      <datalist id={`${id}-sites`}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextArea
        label={words.description}
        rows={5}
        maxLength={20_000}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
    </form>
  );
}
