import { useState } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { commandKeys } from "../../../app/keys/chord-caps.tsx";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { Page } from "../../../app/page/page.tsx";
import { Button } from "../../../design/button.tsx";
import { TabLinks } from "../../../design/tabs.tsx";
import { ChainView } from "./chain-view.tsx";
import { CheckpointsList } from "./checkpoints-list.tsx";
import { ledgerPhrases } from "./ledger-phrases.ts";
import { LedgerState } from "./ledger-state.tsx";
import { OfflineDialog } from "./offline-dialog.tsx";
import "./ledger.css";

/** The ledger: its state, its signed checkpoints, and proofs computed in the browser. */
export function LedgerPage() {
  const words = usePhrases(ledgerPhrases);
  const { search, change } = useAddress();
  const [isToolShown, setIsToolShown] = useState(false);
  const isVerifying = search.view === "verify";
  const show = (view: "verify" | undefined) => change({ view, pane: undefined }, { isStep: true });
  const verify = {
    id: "ledger.verify",
    label: words.verify,
    group: words.title,
    keys: ["v"],
    isInStatusLine: true,
    run: () => show(isVerifying ? undefined : "verify"),
  };
  useCommands([
    verify,
    { id: "ledger.tool", label: words.offline, group: words.title, run: () => setIsToolShown(true) },
  ]);
  return (
    <Page
      title={words.title}
      isFull
      tabs={
        <TabLinks
          label={words.views}
          items={[
            { label: words.checkpoints, isCurrent: !isVerifying, onSelect: () => show(undefined) },
            { label: words.verify, isCurrent: isVerifying, onSelect: () => show("verify") },
          ]}
        />
      }
      tools={
        <>
          {!isVerifying && (
            <Button kind="primary" {...commandKeys(verify)} onClick={verify.run}>
              {words.verify}
            </Button>
          )}
          <Button onClick={() => setIsToolShown(true)}>{words.offline}</Button>
        </>
      }
    >
      <LedgerState />
      {isVerifying ? <ChainView /> : <CheckpointsList />}
      <OfflineDialog isOpen={isToolShown} onClose={() => setIsToolShown(false)} />
    </Page>
  );
}
