import { ArrowLeft } from "lucide-react";
import { useState } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { useAddress } from "../../../../app/address/use-address.ts";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { Page } from "../../../../app/page/page.tsx";
import { narrowQuery } from "../hunt-query.ts";
import { PromoteDialog } from "../promote-dialog.tsx";
import { searchPhrases } from "../search-phrases.ts";
import { LogPaneById } from "./log-pane.tsx";
import "../search.css";

/** One log by its address. Selecting a value starts a hunt. */
export function LogPage() {
  const words = usePhrases(searchPhrases);
  const { params, go } = useAddress();
  const [promoted, setPromoted] = useState<string>();
  const { id = "" } = params;
  return (
    <Page
      title={words.log}
      back={
        <Link to="/hunt" className="button button-ghost button-square" title={words.hunt}>
          <ArrowLeft className="search-back" size={16} aria-hidden="true" />
          <span className="screen-reader-only">{words.hunt}</span>
        </Link>
      }
    >
      <div className="search-log-page">
        <LogPaneById
          id={id}
          known={undefined}
          onNarrow={(term, isExcluded) => go("/hunt", { q: narrowQuery("", term, isExcluded) })}
          onOpen={(other) => go(`/hunt/log/${other}`)}
          onPromote={setPromoted}
        />
      </div>
      {promoted !== undefined && <PromoteDialog ids={[promoted]} onClose={() => setPromoted(undefined)} />}
    </Page>
  );
}
