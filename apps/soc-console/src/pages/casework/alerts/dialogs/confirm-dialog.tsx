import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { fill, useNumbers, usePhrases } from "../../../../app/language/language-context.tsx";
import { ApiError, errorWords } from "../../../../app/server/api-error.ts";
import { Button } from "../../../../design/button.tsx";
import { Dialog } from "../../../../design/dialog.tsx";
import type { Target } from "../alert-item.ts";
import type { AlertPatch, AlertsClient } from "../alerts-client.ts";
import { type AlertActions, isOtherTotal } from "../use-alert-actions.ts";
import { dialogPhrases } from "./alert-dialogs-phrases.ts";

export interface ConfirmDialogProps {
  client: AlertsClient;
  actions: AlertActions;
  target: Extract<Target, { kind: "filter" }>;
  patch: AlertPatch;
  label: string;
  onClose: () => void;
  onDone: () => void;
}

/** Confirms a change of everything that matches, with the exact current count of the service. */
export function ConfirmDialog({ client, actions, target, patch, label, onClose, onDone }: ConfirmDialogProps) {
  const words = usePhrases(dialogPhrases);
  const { count } = useNumbers();
  const { parameters, exceptIds } = target;
  const [isBusy, setIsBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [stated, setStated] = useState<number>();
  const counted = useQuery({
    queryKey: ["alerts", "exact", JSON.stringify(parameters)],
    queryFn: ({ signal }) => client.count(parameters, signal),
    staleTime: 0,
    gcTime: 0,
  });
  const read = counted.data && Math.max(0, counted.data.total - exceptIds.length);
  const total = counted.isFetching ? undefined : (stated ?? read);

  const button = useRef<HTMLButtonElement>(null);
  const isKnown = total !== undefined;
  // Enter confirms only after the count is visible.
  useEffect(() => {
    if (isKnown) button.current?.focus();
  }, [isKnown]);

  const confirm = async () => {
    if (total === undefined) return;
    setIsBusy(true);
    try {
      await actions.changeSelected({ filter: parameters, except_ids: exceptIds, expected_total: total }, patch, label);
      onDone();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setIsBusy(false);
      setProblem(isOtherTotal(error) ? words.otherTotal : errorWords(error));
      if (isOtherTotal(error)) setStated(Number(/(\d+) alerts/.exec(error.message)?.[1] ?? total));
    }
  };
  const number = total === undefined ? words.counting : count(total, words.alerts);
  return (
    <Dialog
      title={fill(words.confirmTitle, { label, count: number })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button
            kind="primary"
            ref={button}
            isBusy={isBusy}
            disabled={total === undefined || total === 0}
            onClick={() => void confirm()}
          >
            {total === 0 ? words.nothing : fill(words.confirm, { count: number })}
          </Button>
        </>
      }
    >
      <p>{words.confirmText}</p>
      {exceptIds.length > 0 && <p>{count(exceptIds.length, words.confirmExcept)}</p>}
      {counted.data?.total_is_estimate && stated === undefined && (
        <p className="alerts-note">{words.confirmEstimate}</p>
      )}
      {(problem ?? (counted.error instanceof ApiError ? errorWords(counted.error) : undefined)) && (
        <p className="field-error" role="alert">
          {problem ?? (counted.error instanceof ApiError && errorWords(counted.error))}
        </p>
      )}
    </Dialog>
  );
}
