import type { FavoriteBody } from "@player/service/contract/favorites";
import { useState } from "preact/hooks";
import { EmptyState, Link, Loaded, PageTitle, Panel } from "../controls/layout.tsx";
import { useApp, usePhrases, useResource } from "../shell/app.ts";
import { shellPhrases } from "../shell/shell-phrases.ts";
import { FavoriteRow } from "./favorite-row.tsx";
import { favoritesPhrases } from "./favorites-phrases.ts";
import { RemoveDialog } from "./remove-dialog.tsx";
import "./favorites.css";

export function FavoritesPage() {
  const { live } = useApp();
  const { favorites, more } = usePhrases(shellPhrases);
  const reading = useResource(live.favorites);
  return (
    <>
      <PageTitle back={{ to: "/more", label: more }}>{favorites}</PageTitle>
      <Loaded reading={reading} refresh={live.favorites.refresh}>
        {(list) => (list.length > 0 ? <FavoriteList favorites={list} /> : <NoFavorites />)}
      </Loaded>
    </>
  );
}

function FavoriteList({ favorites }: { favorites: readonly FavoriteBody[] }) {
  const [leaving, setLeaving] = useState<FavoriteBody>();
  return (
    <Panel>
      <ul class="rows">
        {favorites.map((favorite) => (
          <FavoriteRow key={favorite.id} favorite={favorite} onRemove={() => setLeaving(favorite)} />
        ))}
      </ul>
      {leaving && <RemoveDialog favorite={leaving} onClose={() => setLeaving(undefined)} />}
    </Panel>
  );
}

function NoFavorites() {
  const { emptyTitle, emptyHint } = usePhrases(favoritesPhrases);
  const { library, radio } = usePhrases(shellPhrases);
  return (
    <EmptyState icon="heart" title={emptyTitle}>
      <p>{emptyHint}</p>
      <div class="actions favorites-places">
        <Link to="/library" class="button button-primary">
          {library}
        </Link>
        <Link to="/radio" class="button">
          {radio}
        </Link>
      </div>
    </EmptyState>
  );
}
