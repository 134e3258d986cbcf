import type { FavoriteBody } from "@player/service/contract/favorites";
import { useApp, useLanguage, usePhrases } from "../../app/app.ts";
import { fill } from "../../app/language/translations.ts";
import { Button } from "../../design/button.tsx";
import { Dialog } from "../../design/layout.tsx";
import { favoriteTitle } from "./favorite-words.ts";
import { favoritesPhrases } from "./favorites-phrases.ts";

/** Asks first, because an accidental tap would lose the play count. */
export function RemoveDialog({ favorite, onClose }: { favorite: FavoriteBody; onClose: () => void }) {
  const { api, commands } = useApp();
  const language = useLanguage();
  const phrases = usePhrases(favoritesPhrases);

  function remove(): void {
    onClose();
    void commands.run(() => api.remove(`/favorites/${favorite.id}`));
  }

  return (
    <Dialog title={phrases.removeTitle} onClose={onClose}>
      <div class="stack">
        <p dir="auto">{fill(phrases.removeHint, { name: favoriteTitle(favorite, language) })}</p>
        <div class="actions">
          <Button kind="danger" icon="bin" onClick={remove} needsToken>
            {phrases.removeIt}
          </Button>
          <Button onClick={onClose}>{phrases.keepIt}</Button>
        </div>
      </div>
    </Dialog>
  );
}
