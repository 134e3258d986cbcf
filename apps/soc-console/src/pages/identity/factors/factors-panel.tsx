import { useQuery, useQueryClient } from "@tanstack/react-query";
import { KeyRound, Smartphone } from "lucide-react";
import { useState } from "react";
import { useApp } from "../../../app/context/app-context.ts";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { useMode } from "../../../app/mode/use-mode.ts";
import { useNotices } from "../../../app/notices/notices.tsx";
import { ApiError } from "../../../app/server/api-error.ts";
import { isPreview } from "../../../app/server/server.ts";
import { hasSecurityKeys } from "../../../app/session/security-key.ts";
import { Button } from "../../../design/button.tsx";
import { Dialog } from "../../../design/dialog.tsx";
import { Panel } from "../../../design/panel.tsx";
import { ErrorState, Notice, Skeleton } from "../../../design/states.tsx";
import { AddApp } from "./add-app.tsx";
import { AddKey } from "./add-key.tsx";
import { RemoveFactor, RenameFactor } from "./change-factor.tsx";
import { FactorRow } from "./factor-row.tsx";
import { FACTORS_KEY, type Factor, readFactors, renewRecoveryCodes } from "./factors-client.ts";
import { factorsPhrases } from "./factors-phrases.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { useAttempt } from "./use-attempt.ts";

type Open =
  | { what: "app" | "key" }
  | { what: "rename" | "remove"; factor: Factor }
  | { what: "codes"; codes: readonly string[] };

/** The dialog over the panel. Recovery codes stay visible until the user has stored them. */
function FactorDialogs({ open, isFirst, onOpen }: { open: Open; isFirst: boolean; onOpen: (open?: Open) => void }) {
  const words = usePhrases(factorsPhrases);
  const queries = useQueryClient();
  const { notify } = useNotices();
  const mode = useMode();
  const close = () => onOpen(undefined);
  const readAgain = () => void queries.invalidateQueries({ queryKey: FACTORS_KEY });
  const finish = () => {
    if (mode === "dry_run") notify({ text: words.preview, tone: "waiting" });
    readAgain();
    close();
  };
  const add = (codes: readonly string[] | null) => {
    readAgain();
    onOpen(codes === null ? undefined : { what: "codes", codes });
  };
  if (open.what === "rename") return <RenameFactor factor={open.factor} onDone={finish} onClose={close} />;
  if (open.what === "remove") return <RemoveFactor factor={open.factor} onDone={finish} onClose={close} />;
  if (open.what === "codes")
    return (
      <Dialog title={words.codesTitle} onClose={() => undefined} closeLabel={null} width="s">
        <RecoveryCodes codes={open.codes} doneLabel={words.done} onDone={close} />
      </Dialog>
    );
  const Add = open.what === "app" ? AddApp : AddKey;
  return (
    <Dialog
      title={open.what === "app" ? words.addApp : words.addKey}
      onClose={close}
      width="m"
      closeLabel={words.cancel}
    >
      <Add isFirst={isFirst} onAdded={add} onCancel={close} />
    </Dialog>
  );
}

/** The user's second factors. */
export function FactorsPanel() {
  const words = usePhrases(factorsPhrases);
  const numbers = useNumbers();
  const { server } = useApp();
  const isFixed = useMode() === "dummy";
  const [open, setOpen] = useState<Open>();
  const { isBusy, trouble, run, fail } = useAttempt();
  const { data, error, refetch } = useQuery({
    queryKey: FACTORS_KEY,
    queryFn: ({ signal }) => readFactors(server, signal),
  });
  const renew = () =>
    run(async () => {
      const answer = await renewRecoveryCodes(server);
      if (isPreview(answer)) return fail(words.preview);
      setOpen({ what: "codes", codes: answer.recovery_codes });
    });

  if (!data) {
    return (
      <Panel title={words.title}>
        {error instanceof ApiError ? (
          <ErrorState
            title={words.failed}
            text={error.message}
            requestId={error.requestId}
            retryLabel={words.retry}
            onRetry={() => void refetch()}
          />
        ) : (
          <Skeleton rows={2} />
        )}
      </Panel>
    );
  }
  const { items, recovery_codes_left, is_required } = data;
  return (
    <Panel title={words.title}>
      <p className="soft">{words.hint}</p>
      {items.length === 0 && (
        <Notice tone="waiting">
          {words.none} {is_required && words.required}
        </Notice>
      )}
      <ul className="factors-list">
        {items.map((factor) => (
          <FactorRow
            key={factor.id}
            factor={factor}
            onRename={isFixed ? undefined : () => setOpen({ what: "rename", factor })}
            onRemove={isFixed ? undefined : () => setOpen({ what: "remove", factor })}
          />
        ))}
      </ul>
      <div className="factors-ways">
        <Button icon={<Smartphone />} disabled={isFixed} onClick={() => setOpen({ what: "app" })}>
          {words.addApp}
        </Button>
        {hasSecurityKeys() && (
          <Button icon={<KeyRound />} disabled={isFixed} onClick={() => setOpen({ what: "key" })}>
            {words.addKey}
          </Button>
        )}
        {items.length > 0 && (
          <span className="factors-left">
            {numbers.count(recovery_codes_left, words.codesLeft)}
            <Button size="s" kind="ghost" isBusy={isBusy} disabled={isFixed} onClick={renew}>
              {words.renewCodes}
            </Button>
          </span>
        )}
      </div>
      {trouble && <Notice tone="failed">{trouble.text}</Notice>}
      {open && <FactorDialogs open={open} isFirst={items.length === 0} onOpen={setOpen} />}
    </Panel>
  );
}
