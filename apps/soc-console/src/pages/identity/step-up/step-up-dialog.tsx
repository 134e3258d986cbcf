import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { useApp } from "../../../app/context/app-context.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { EmptyState, Skeleton } from "../../../design/states.tsx";
import { FACTORS_KEY, readFactors } from "../factors/factors-client.ts";
import { StepUpForm } from "./step-up-form.tsx";
import { stepUpPhrases } from "./step-up-phrases.ts";

/** Shown over the page whose request needs a fresh second factor. */
export function StepUpDialog() {
  const words = usePhrases(stepUpPhrases);
  const { server, stepUp } = useApp();
  const isOpen = useSyncExternalStore(stepUp.subscribe, stepUp.read);
  const { data: factors, isError } = useQuery({
    queryKey: FACTORS_KEY,
    queryFn: ({ signal }) => readFactors(server, signal),
    enabled: isOpen,
  });
  const hasNone = factors?.items.length === 0;
  return (
    <Dialog
      title={words.title}
      isOpen={isOpen}
      onClose={() => stepUp.finish(false)}
      width="s"
      closeLabel={words.cancel}
    >
      {hasNone ? (
        <EmptyState
          title={words.none}
          text={words.noneText}
          action={
            <a className="button" href="/settings/me">
              {words.add}
            </a>
          }
        />
      ) : (
        <>
          <p className="step-up-why">{words.why}</p>
          {factors || isError ? (
            <StepUpForm
              hasKey={factors?.items.some(({ kind }) => kind === "webauthn") ?? true}
              onProven={() => stepUp.finish(true)}
            />
          ) : (
            isOpen && <Skeleton rows={2} />
          )}
        </>
      )}
    </Dialog>
  );
}
