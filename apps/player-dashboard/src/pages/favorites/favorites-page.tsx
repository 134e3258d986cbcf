import type { FavoriteBody } from "@player/service/contract/favorites";
import { useState } from "preact/hooks";
import { useApp, usePhrases, useResource } from "../../app/app.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { Loaded } from "../../app/status/loaded.tsx";
import { EmptyState, Link, PageTitle, Panel } from "../../design/layout.tsx";
import { FavoriteRow } from "./favorite-row.tsx";
import { favoritesPhrases } from "./favorites-phrases.ts";
import { RemoveDialog } from "./remove-dialog.tsx";
import "./favorites.css";

export function FavoritesPage() {
  const { live } = useApp();
  const { favorites, more } = usePhrases(commonPhrases);
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
  const { library, radio } = usePhrases(commonPhrases);
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
