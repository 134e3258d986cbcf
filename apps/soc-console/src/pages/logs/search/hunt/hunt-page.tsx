import { useAddress } from "../../../../app/address/use-address.ts";
import { usePhrases } from "../../../../app/language/language-context.tsx";
import { Page } from "../../../../app/page/page.tsx";
import { ApiError } from "../../../../app/server/api-error.ts";
import { EmptyState, Skeleton } from "../../../../design/states.tsx";
import { PartFailed } from "../part-failed.tsx";
import { useHunts } from "../saved/saved-hunts.tsx";
import { searchPhrases } from "../search-phrases.ts";
import { Hunt } from "./hunt.tsx";
import "../search.css";

/** The log search: `/hunt`, and `/hunt/saved/{id}` with the query of a saved hunt. */
export function HuntPage() {
  const words = usePhrases(searchPhrases);
  const { params } = useAddress();
  const { id } = params;
  const { data, error, refetch } = useHunts(id !== undefined);
  if (id === undefined) return <Hunt saved={undefined} />;
  const saved = data?.items.find((hunt) => hunt.id === id);
  if (saved) return <Hunt key={id} saved={saved} />;
  return (
    <Page title={words.hunt}>
      {error instanceof ApiError && (
        <PartFailed title={words.huntsFailed} error={error} onRetry={() => void refetch()} />
      )}
      {data && <EmptyState title={words.noSuchHunt} text={words.noSuchHuntText} />}
      {!data && !error && <Skeleton rows={8} />}
    </Page>
  );
}
