import { useQuery } from "@tanstack/react-query";
import { ChevronLeft } from "lucide-react";
import { Link } from "../../../../app/address/link.tsx";
import { useAddress } from "../../../../app/address/use-address.ts";
import { ChangesProvider } from "../../../../app/changes/use-changes.tsx";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { FailedPart, Page } from "../../../../app/page/page.tsx";
import { Skeleton } from "../../../../design/states.tsx";
import { ruleKeys, useRulesClient } from "../rules-client.ts";
import { rulesPhrases } from "../rules-phrases.ts";
import { RuleEditor } from "./rule-editor.tsx";
import "../rules.css";
import "./editor.css";

/** `/detections/new?q=…` and `/detections/{id}/edit`. */
export function RuleEditorPage() {
  const { params, search } = useAddress();
  return (
    <ChangesProvider needs="detections:write">
      {params.id === undefined ? (
        <RuleEditor key={search.q ?? ""} stored={undefined} query={search.q ?? ""} />
      ) : (
        <StoredRule key={params.id} id={params.id} />
      )}
    </ChangesProvider>
  );
}

function StoredRule({ id }: { id: string }) {
  const words = usePhrases(rulesPhrases);
  const client = useRulesClient();
  const { data, error, refetch } = useQuery({
    queryKey: ruleKeys.part(id, "edited"),
    queryFn: ({ signal }) => client.read(id, signal),
    // Never replace edited text by a version that another user stored in the meantime.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (data) return <RuleEditor stored={data} query="" />;
  return (
    <Page
      title={words.edit}
      back={
        <Link to="/detections" className="rules-back" title={words.back}>
          <ChevronLeft aria-hidden="true" />
        </Link>
      }
    >
      {error ? <FailedPart error={error} onRetry={() => void refetch()} /> : <Skeleton rows={10} />}
    </Page>
  );
}
