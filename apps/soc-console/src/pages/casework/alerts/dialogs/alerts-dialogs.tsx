import { useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { ApiError, errorWords } from "../../../../app/server/api-error.ts";
import { isPreview } from "../../../../app/server/server.ts";
import { Button } from "../../../../design/button.tsx";
import { Dialog } from "../../../../design/dialog.tsx";
import { Checkbox, SelectField, TextField } from "../../../../design/field.tsx";
import { type AlertsClient, alertKeys } from "../alerts-client.ts";
import { alertsPhrases } from "../alerts-phrases.ts";
import { type AlertsState, EXTRA_COLUMNS, type ExtraColumn, NO_FILTER } from "../alerts-state.ts";
import { dialogPhrases } from "./alert-dialogs-phrases.ts";
import "./dialogs.css";

/** Saves filter, sort, groups and a relative range under a name. */
export function SaveViewDialog({
  client,
  state,
  onClose,
}: {
  client: AlertsClient;
  state: AlertsState;
  onClose: () => void;
}) {
  const words = usePhrases(dialogPhrases);
  const { search, go } = useAddress();
  const queries = useQueryClient();
  const { notify } = useNotices();
  const [name, setName] = useState("");
  const [sharing, setSharing] = useState<"private" | "team">("private");
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    if (name.trim() === "") return;
    setIsBusy(true);
    const kept = { sort: search.sort, by: search.by, cols: search.cols, from: search.from, to: search.to };
    const values = Object.entries(kept).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const]));
    try {
      const body = await client.saveView(
        name.trim(),
        { ...Object.fromEntries(values), q: state.text || NO_FILTER },
        sharing,
      );
      onClose();
      if (isPreview(body)) return void notify({ tone: "waiting", text: words.previewed });
      await queries.invalidateQueries({ queryKey: alertKeys.views });
      notify({ tone: "ok", text: words.viewSaved });
      go("/alerts", { ...kept, view: body.id });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setIsBusy(false);
      setProblem(errorWords(error));
    }
  };
  return (
    <Dialog title={words.saveTitle} onClose={onClose} width="s">
      <form className="alerts-form" onSubmit={(event) => void save(event)}>
        <TextField
          label={words.viewName}
          required
          maxLength={200}
          value={name}
          error={problem}
          onChange={(event) => setName(event.target.value)}
        />
        <SelectField
          label={words.sharing}
          value={sharing}
          onChange={setSharing}
          options={[
            { value: "private", label: words.private },
            { value: "team", label: words.team },
          ]}
        />
        <p className="alerts-filter-shown" dir="ltr">
          {state.text || NO_FILTER}
        </p>
        <div className="alerts-form-foot">
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {words.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

export interface ColumnsDialogProps {
  columns: readonly ExtraColumn[] | undefined;
  shown: readonly ExtraColumn[];
  onChange: (columns: readonly ExtraColumn[] | undefined) => void;
  onClose: () => void;
}

export function ColumnsDialog({ columns, shown, onChange, onClose }: ColumnsDialogProps) {
  const words = usePhrases(dialogPhrases);
  const names = usePhrases(alertsPhrases).columns;
  const toggle = (name: ExtraColumn, isShown: boolean) =>
    onChange(EXTRA_COLUMNS.filter((each) => (each === name ? isShown : shown.includes(each))));
  return (
    <Dialog
      title={words.columnsTitle}
      onClose={onClose}
      width="s"
      actions={columns && <Button onClick={() => onChange(undefined)}>{words.automatic}</Button>}
    >
      <div className="alerts-form">
        {EXTRA_COLUMNS.map((name) => (
          <Checkbox
            key={name}
            label={names[name]}
            checked={shown.includes(name)}
            onChange={(isShown) => toggle(name, isShown)}
          />
        ))}
        <p className="alerts-note">{words.columnsHint}</p>
      </div>
    </Dialog>
  );
}
