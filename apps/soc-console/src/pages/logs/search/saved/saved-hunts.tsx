import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { Link } from "../../../../app/address/link.tsx";
import { useApp, useMay, useMe } from "../../../../app/context/app-context.ts";
import { fill, usePhrases } from "../../../../app/language/language-context.tsx";
import { useNotices } from "../../../../app/notices/notices.tsx";
import { ApiError } from "../../../../app/server/api-error.ts";
import { isPreview } from "../../../../app/server/server.ts";
import { safeText } from "../../../../app/text/safe-text.ts";
import { SafeText } from "../../../../app/text/safe-text-view.tsx";
import { Button, IconButton } from "../../../../design/button.tsx";
import { Dialog, Drawer } from "../../../../design/dialog.tsx";
import { EmptyState, Skeleton } from "../../../../design/states.tsx";
import { deleteHunt, type Hunt, huntsKeys, listHunts } from "../../hunts/hunts-client.ts";
import { PreviewCard, useRefusal, useVerb } from "../change-notice.tsx";
import { PartFailed } from "../part-failed.tsx";
import { searchPhrases } from "../search-phrases.ts";

export function useHunts(isWanted: boolean) {
  const { server } = useApp();
  return useQuery({
    queryKey: huntsKeys.list,
    queryFn: ({ signal }) => listHunts(server, signal),
    enabled: isWanted,
  });
}

/** The saved hunts come from the database: without the log store they can still be opened, changed and deleted. */
export function SavedHunts({ onClose }: { onClose: () => void }) {
  const words = usePhrases(searchPhrases);
  const { data, error, refetch } = useHunts(true);
  const [deleted, setDeleted] = useState<Hunt>();
  return (
    <Drawer onClose={onClose} title={words.savedHunts}>
      {error instanceof ApiError && !data && (
        <PartFailed title={words.huntsFailed} error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && <Skeleton rows={5} />}
      {data?.items.length === 0 && <EmptyState title={words.noHunts} text={words.noHuntsText} />}
      <ul className="search-hunts">
        {data?.items.map((hunt) => (
          <HuntLine key={hunt.id} hunt={hunt} onOpen={onClose} onDelete={() => setDeleted(hunt)} />
        ))}
      </ul>
      {deleted && <DeleteDialog hunt={deleted} onClose={() => setDeleted(undefined)} />}
    </Drawer>
  );
}

function HuntLine({ hunt, onOpen, onDelete }: { hunt: Hunt; onOpen: () => void; onDelete: () => void }) {
  const words = usePhrases(searchPhrases);
  const { username, role } = useMe();
  const mayChange = useMay("siem:search");
  // Only the author or an administrator may delete and share.
  const isOwn = hunt.created_by === username || role === "admin";
  return (
    <li className="search-hunt">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it closes the drawer after the link was followed. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the link inside takes the keys, and its click arrives here. */}
      <div className="search-hunt-words" onClick={onOpen}>
        <Link to={`/hunt/saved/${hunt.id}`}>
          <SafeText>{hunt.title}</SafeText>
        </Link>
        <code className="search-cut" dir="ltr">
          <SafeText isMono>{hunt.query || "*"}</SafeText>
        </code>
        <span className="search-hint">
          <bdi>{hunt.created_by}</bdi> · {words.sharingModes[hunt.sharing_mode]}
        </span>
      </div>
      {mayChange && isOwn && (
        <IconButton
          size="s"
          icon={<Trash2 />}
          label={fill(words.deleteNamed, { title: safeText(hunt.title) })}
          onClick={onDelete}
        />
      )}
    </li>
  );
}

function DeleteDialog({ hunt, onClose }: { hunt: Hunt; onClose: () => void }) {
  const words = usePhrases(searchPhrases);
  const { server } = useApp();
  const { notify } = useNotices();
  const queries = useQueryClient();
  const refusal = useRefusal();
  const verb = useVerb(words.deleteVerb);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => deleteHunt(server, hunt.id),
    onSuccess: async (answer) => {
      if (isPreview(answer)) return;
      await queries.invalidateQueries({ queryKey: huntsKeys.list });
      notify({ text: words.deleted, tone: "ok" });
      onClose();
    },
  });
  return (
    <Dialog
      onClose={onClose}
      title={words.deleteHunt}
      width="s"
      actions={
        <Button kind="danger" isBusy={isPending} disabled={refusal !== undefined} onClick={() => mutate()}>
          {verb}
        </Button>
      }
    >
      <p>
        <SafeText>{hunt.title}</SafeText>
      </p>
      {refusal !== undefined && <p className="search-partial">{refusal}</p>}
      {error instanceof ApiError && <PartFailed title={words.notDeleted} error={error} />}
      {data && isPreview(data) && <PreviewCard>{words.wouldDelete}</PreviewCard>}
    </Dialog>
  );
}
