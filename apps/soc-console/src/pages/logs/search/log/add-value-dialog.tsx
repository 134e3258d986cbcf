import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApp, useMay } from "../../../../app/context/app-context.ts";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { ApiError } from "../../../../app/server/api-error.ts";
import { isPreview } from "../../../../app/server/server.ts";
import { safeText } from "../../../../app/text/safe-text.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { Button } from "../../../../design/button.tsx";
import { Dialog } from "../../../../design/dialog.tsx";
import { SelectField } from "../../../../design/field.tsx";
import { PreviewCard, useRefusal, useVerb } from "../change-notice.tsx";
import { PartFailed } from "../part-failed.tsx";
import { searchPhrases } from "../search-phrases.ts";
import { addIndicator, addObservable, listOpenCases } from "./add-value-client.ts";
import type { ChosenValue } from "./log-values.tsx";
import { findObservableType, isIndicator } from "./value-kind.ts";

const INDICATOR = "indicator";

/** Adds the value as an indicator, or as an observable of an open case. */
function useTargets({ field, value }: ChosenValue) {
  const words = usePhrases(searchPhrases);
  const { server } = useApp();
  const mayAddIoc = useMay("iocs:write");
  const mayAddObservable = useMay("cases:write", "cases:read");
  const cases = useQuery({
    queryKey: ["cases", "list", "open"],
    queryFn: ({ signal }) => listOpenCases(server, signal),
    enabled: mayAddObservable,
  });
  const options = [
    ...(mayAddIoc && isIndicator(field, value) ? [{ value: INDICATOR, label: words.asIndicator }] : []),
    ...(cases.data ?? []).map(({ id, title }) => ({ value: id, label: `${words.asObservable} ${safeText(title)}` })),
  ];
  return { options, isLoading: cases.isLoading };
}

export function AddValueDialog({ chosen, onClose }: { chosen: ChosenValue; onClose: () => void }) {
  const words = usePhrases(searchPhrases);
  const { server } = useApp();
  const { notify } = useNotices();
  const { field, value } = chosen;
  const { options, isLoading } = useTargets(chosen);
  const [picked, setPicked] = useState<string>();
  const target = picked ?? options[0]?.value;
  const refusal = useRefusal();
  const verb = useVerb(words.add);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: (to: string) =>
      to === INDICATOR
        ? addIndicator(server, value)
        : addObservable(server, to, { type: findObservableType(field, value), value }),
    onSuccess: (answer) => {
      if (isPreview(answer)) return;
      notify({ text: words.added, tone: "ok" });
      onClose();
    },
  });
  return (
    <Dialog
      onClose={onClose}
      title={words.addTitle}
      width="s"
      actions={
        <Button
          kind="primary"
          isBusy={isPending}
          disabled={target === undefined || refusal !== undefined}
          onClick={() => target !== undefined && mutate(target)}
        >
          {verb}
        </Button>
      }
    >
      <p className="search-message">
        <SafeText isMono>{value}</SafeText>
      </p>
      {target === undefined ? (
        <p>{isLoading ? words.loading : words.noTarget}</p>
      ) : (
        <SelectField label={words.addTo} options={options} value={target} onChange={setPicked} />
      )}
      {refusal !== undefined && <p className="search-partial">{refusal}</p>}
      {error instanceof ApiError && <PartFailed title={words.notAdded} error={error} />}
      {data && isPreview(data) && <PreviewCard>{words.wouldAdd}</PreviewCard>}
    </Dialog>
  );
}
