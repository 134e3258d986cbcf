import { useState } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { useChanges, withChanges } from "../../../app/changes/use-changes.tsx";
import { useApp } from "../../../app/context/app-context.ts";
import { useCommands } from "../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useRecordPages } from "../../../app/lists/record-list.tsx";
import { Page } from "../../../app/page/page.tsx";
import { Button } from "../../../design/button.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { type IocsQuery, listIocs } from "./iocs-client.ts";
import { ExportMenu, IocsFilter, readFilter } from "./iocs-filter.tsx";
import { IocsList } from "./iocs-list.tsx";
import { iocsPhrases } from "./iocs-phrases.ts";
import { PastePanel } from "./paste-panel.tsx";
import "./iocs.css";

/** Addresses, domains, URLs, hashes and mail addresses, matched against every log. */
export const IocsPage = withChanges("iocs:write", Indicators);

function Indicators() {
  const words = usePhrases(iocsPhrases);
  const { server } = useApp();
  const { search } = useAddress();
  const filter = readFilter(search);
  const pages = useRecordPages("iocs", filter, (query, signal) => listIocs(server, query, signal));
  return (
    <Page title={words.title} tools={<Tools filter={filter} onImported={pages.reload} />} isFull>
      <PastePanel onAdded={pages.reload} />
      <IocsFilter />
      <IocsList pages={pages} />
    </Page>
  );
}

function Tools({ filter, onImported }: { filter: IocsQuery; onImported: () => void }) {
  const words = usePhrases(iocsPhrases);
  const { mayWrite, reason } = useChanges();
  const [isImporting, setIsImporting] = useState(false);
  const open = () => setIsImporting(true);
  useCommands(
    mayWrite
      ? [{ id: "iocs.import", label: words.import, group: words.title, isEnabled: !reason, reason, run: open }]
      : [],
  );
  return (
    <>
      {mayWrite && (
        <Button disabled={reason !== undefined} title={reason} onClick={open}>
          {words.import}
        </Button>
      )}
      <ExportMenu filter={filter} />
      {isImporting && <ImportDialog onClose={() => setIsImporting(false)} onImported={onImported} />}
    </>
  );
}
