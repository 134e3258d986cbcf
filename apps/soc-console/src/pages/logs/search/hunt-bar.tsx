import { useQueryClient } from "@tanstack/react-query";
import { Bookmark, FileDown, Play, Radio, Save, ScrollText } from "lucide-react";
import { type RefObject, useCallback } from "react";
import { useAddress } from "../../../app/address/use-address.ts";
import { useApp, useMay } from "../../../app/context/app-context.ts";
import { commandKeys } from "../../../app/keys/chord-caps.tsx";
import { useCommand } from "../../../app/keys/commands-context.tsx";
import { useNumbers, usePhrases } from "../../../app/language/language-context.tsx";
import { QueryEditor } from "../../../app/query-editor/query-editor.tsx";
import type { Completion, CompletionContext, QueryEditorHandle } from "../../../app/query-editor/query-editor-props.ts";
import { Button } from "../../../design/button.tsx";
import { Menu, type MenuItem } from "../../../design/menu.tsx";
import { completeValues, type LogFacets, type LogFields, type LogSearch, searchKeys } from "./search-client.ts";
import { searchPhrases } from "./search-phrases.ts";

export type HuntDialog = "save" | "saved" | "export" | "promote";

export interface HuntBarProps {
  editor: RefObject<QueryEditorHandle | null>;
  draft: string;
  onDraft: (draft: string) => void;
  onRun: (query: string) => void;
  history: readonly string[];
  search: LogSearch;
  facets: LogFacets | undefined;
  isTail: boolean;
  onTail: () => void;
  onDialog: (dialog: HuntDialog) => void;
}

/** Values on the page are suggested without a request; others are requested. */
function useCompletion(search: LogSearch, facets: LogFacets | undefined) {
  const { server } = useApp();
  const queries = useQueryClient();
  const { number } = useNumbers();
  return useCallback(
    async ({ field, prefix }: CompletionContext): Promise<readonly Completion[]> => {
      if (field === undefined) {
        // Attribute names are known after the field list was opened once.
        const fields = queries.getQueryData<LogFields>(searchKeys.fields(search.searchId));
        return (fields?.items ?? []).map(({ name, type }) => ({ label: name, kind: "field", detail: type }));
      }
      const known = facets?.facets.find((facet) => facet.field === field);
      const begins = known?.values.filter(({ value }) => value.toLowerCase().startsWith(prefix.toLowerCase())) ?? [];
      const isKnown = known !== undefined && (known.other === 0 || begins.length > 0);
      const values = isKnown ? begins : await completeValues(server, field, prefix, search);
      return values.map(({ value, count }) => ({ label: value, kind: "value", detail: number(count) }));
    },
    [server, queries, number, search, facets],
  );
}

function useMenuItems(query: string, onDialog: (dialog: HuntDialog) => void): MenuItem[] {
  const words = usePhrases(searchPhrases);
  const { go } = useAddress();
  const mayDetect = useMay("detections:write", "detections:read", "siem:search");
  return [
    { label: words.savedHunts, icon: <Bookmark />, onSelect: () => onDialog("saved") },
    { label: words.exportTitle, icon: <FileDown />, onSelect: () => onDialog("export") },
    ...(mayDetect
      ? [{ label: words.ruleTitle, icon: <ScrollText />, onSelect: () => go("/detections/new", { q: query }) }]
      : []),
  ];
}

/** The query editor and its actions. */
export function HuntBar(props: HuntBarProps) {
  const { editor, draft, onDraft, onRun, history, search, facets, isTail, onTail, onDialog } = props;
  const words = usePhrases(searchPhrases);
  const complete = useCompletion(search, facets);
  const items = useMenuItems(draft.trim(), onDialog);
  const maySave = useMay("siem:search");
  return (
    <div className="search-bar">
      <div className="search-editor">
        <QueryEditor
          ref={editor}
          value={draft}
          onChange={onDraft}
          onRun={onRun}
          label={words.query}
          placeholder={words.queryHint}
          isSingleLine
          history={history}
          complete={complete}
        />
      </div>
      <div className="search-bar-buttons">
        <Button kind="primary" icon={<Play />} {...commandKeys(useCommand("hunt.run"))} onClick={() => onRun(draft)}>
          {words.run}
        </Button>
        <Button icon={<Radio />} aria-pressed={isTail} onClick={onTail}>
          {words.tail}
        </Button>
        {maySave && (
          <Button icon={<Save />} onClick={() => onDialog("save")}>
            {words.save}
          </Button>
        )}
        <Menu label={words.more} trigger={<Button>{words.more}</Button>} items={items} />
      </div>
    </div>
  );
}
