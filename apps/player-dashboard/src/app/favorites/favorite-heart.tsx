import { useEffect, useState } from "preact/hooks";
import { IconButton } from "../../design/button.tsx";
import { useApp, usePhrases } from "../app.ts";
import { fill } from "../language/translations.ts";
import { lastOf } from "../live/resource.ts";
import { type FavoriteTarget, isSameFavorite } from "./favorite-target.ts";
import { heartPhrases } from "./heart-phrases.ts";

interface FavoriteHeartProps {
  target: FavoriteTarget;
  /** Needed where the page shows several hearts. */
  name?: string;
  /** False where the page shows many hearts with one lock for all. */
  hasLock?: boolean;
}

/** Filled while the target is a favorite. A page with many hearts must watch the list itself. */
export function FavoriteHeart({ target, name, hasLock = true }: FavoriteHeartProps) {
  const { api, live, commands } = useApp();
  const phrases = usePhrases(heartPhrases);
  const favorites = lastOf(live.favorites.reading.value);
  const isOn = favorites?.some((favorite) => isSameFavorite(favorite, target)) ?? false;
  /** The requested state, until the list confirms it. */
  const [wanted, setWanted] = useState<boolean>();
  const isPressed = wanted ?? isOn;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the changed list replaces the requested state
  useEffect(() => setWanted(undefined), [favorites]);

  async function toggle(): Promise<void> {
    setWanted(!isPressed);
    if (!(await commands.run(() => api.post("/favorites/toggle", target)))) setWanted(undefined);
  }

  return (
    <IconButton
      icon={isPressed ? "heartFull" : "heart"}
      label={name === undefined ? phrases.favorite : fill(phrases.favoriteNamed, { name })}
      isPressed={isPressed}
      needsToken={hasLock}
      onClick={() => void toggle()}
    />
  );
}
