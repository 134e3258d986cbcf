import { useState } from "react";
import { useAddress } from "../../../../app/address/use-address.ts";
import { withChanges } from "../../../../app/changes/use-changes.tsx";
import { useMainCommand } from "../../../../app/changes/use-main-command.tsx";
import { useCommands } from "../../../../app/keys/commands-context.tsx";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { Page } from "../../../../app/page/page.tsx";
import { TabLinks } from "../../../../design/tabs.tsx";
import { CasesBoard } from "../board/cases-board.tsx";
import { casesPhrases } from "../cases-phrases.ts";
import { listPhrases } from "../list-phrases.ts";
import { CasesFilterBar } from "./cases-filter-bar.tsx";
import { CasesList } from "./cases-list.tsx";
import { NewCaseDialog } from "./new-case-dialog.tsx";
import "../cases.css";

export const CasesPage = withChanges("cases:write", Cases);

function Cases() {
  const words = { ...usePhrases(casesPhrases), ...usePhrases(listPhrases) };
  const { search, change } = useAddress();
  const [isCreating, setIsCreating] = useState(false);
  const isBoard = search.as === "board";
  const show = (as: "list" | "board") => change({ as: as === "list" ? undefined : as }, { isStep: true });
  const tools = useMainCommand({
    id: "cases.new",
    label: words.newCase,
    group: words.cases,
    run: () => setIsCreating(true),
  });
  useCommands([
    {
      id: "cases.view",
      label: words.switchView,
      group: words.cases,
      keys: ["v"],
      run: () => show(isBoard ? "list" : "board"),
    },
  ]);
  return (
    <Page
      title={words.cases}
      isFull
      tabs={
        <TabLinks
          label={words.views}
          items={[
            { label: words.list, isCurrent: !isBoard, onSelect: () => show("list") },
            { label: words.board, isCurrent: isBoard, onSelect: () => show("board") },
          ]}
        />
      }
      tools={tools}
    >
      <CasesFilterBar isBoard={isBoard} />
      {isBoard ? <CasesBoard /> : <CasesList />}
      <NewCaseDialog isOpen={isCreating} onClose={() => setIsCreating(false)} />
    </Page>
  );
}
