import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { useApp } from "../../../../app/context/app-context.ts";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { ApiError } from "../../../../app/server/api-error.ts";
import { isPreview } from "../../../../app/server/server.ts";
import { Button } from "../../../../design/button.tsx";
import { Dialog } from "../../../../design/dialog.tsx";
import { SelectField, TextArea, TextField } from "../../../../design/field.tsx";
import { changeHunt, type Hunt, huntsKeys, saveHunt } from "../../hunts/hunts-client.ts";
import { PreviewCard, useRefusal, useVerb } from "../change-notice.tsx";
import { PartFailed } from "../part-failed.tsx";
import { searchPhrases } from "../search-phrases.ts";

export interface SaveHuntDialogProps {
  query: string;
  /** The hunt to change; undefined for a new one. */
  saved: Hunt | undefined;
  onClose: () => void;
}

/** A hunt shared with specific roles keeps them; the dialog offers only the author or the team. */
function useSaving({ query, saved, onClose }: SaveHuntDialogProps) {
  const words = usePhrases(searchPhrases);
  const { server } = useApp();
  const { notify } = useNotices();
  const { go } = useAddress();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (fields: { title: string; description: string; sharing_mode: Hunt["sharing_mode"] }) => {
      const all = { ...fields, query, source: null, host: null, severity: null };
      return saved ? changeHunt(server, saved.id, all) : saveHunt(server, all);
    },
    onSuccess: async (answer) => {
      if (isPreview(answer)) return;
      await queries.invalidateQueries({ queryKey: huntsKeys.list });
      notify({ text: words.saved, tone: "ok" });
      onClose();
      go(`/hunt/saved/${answer.id}`);
    },
  });
}

export function SaveHuntDialog(props: SaveHuntDialogProps) {
  const { query, saved, onClose } = props;
  const words = usePhrases(searchPhrases);
  const [title, setTitle] = useState(saved?.title ?? "");
  const [description, setDescription] = useState(saved?.description ?? "");
  const [sharing, setSharing] = useState<Hunt["sharing_mode"]>(saved?.sharing_mode ?? "private");
  const refusal = useRefusal();
  const verb = useVerb(words.saveVerb);
  const formId = useId();
  const { mutate, data, error, isPending } = useSaving(props);
  const modes = (["private", "team", "roles"] as const).filter((mode) => mode !== "roles" || sharing === "roles");
  return (
    <Dialog
      onClose={onClose}
      title={saved ? words.changeHunt : words.saveHunt}
      actions={
        <Button kind="primary" type="submit" form={formId} isBusy={isPending} disabled={refusal !== undefined}>
          {verb}
        </Button>
      }
    >
      <form
        id={formId}
        className="search-form"
        onSubmit={(event) => {
          event.preventDefault();
          mutate({ title: title.trim(), description, sharing_mode: sharing });
        }}
      >
        <TextField
          label={words.huntTitle}
          required
          maxLength={200}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
        <TextArea
          label={words.description}
          rows={2}
          maxLength={20_000}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <SelectField
          label={words.sharing}
          options={modes.map((value) => ({ value, label: words.sharingModes[value] }))}
          value={sharing}
          onChange={setSharing}
        />
      </form>
      <pre className="search-raw" dir="ltr">
        {query || words.everything}
      </pre>
      {refusal !== undefined && <p className="search-partial">{refusal}</p>}
      {error instanceof ApiError && <PartFailed title={words.notSaved} error={error} />}
      {data && isPreview(data) && <PreviewCard>{words.wouldSave}</PreviewCard>}
    </Dialog>
  );
}
