import { useEffect, useState } from "preact/hooks";
import { IconButton } from "../../design/button.tsx";
import { useApp, usePhrases } from "../app.ts";
import { fill } from "../language/translations.ts";
import { lastOf } from "../live/resource.ts";
import { type FavoriteTarget, isSameFavorite } from "./favorite-target.ts";
import { heartPhrases } from "./heart-phrases.ts";

interface FavoriteHeartProps {
  target: FavoriteTarget;
  /** Said where several hearts stand side by side. */
  name?: string;
  /** Where many stand side by side, one lock for all of them is enough. */
  hasLock?: boolean;
}

/** Full while it is a favorite. The page that shows many of them watches the list itself. */
export function FavoriteHeart({ target, name, hasLock = true }: FavoriteHeartProps) {
  const { api, live, commands } = useApp();
  const phrases = usePhrases(heartPhrases);
  const favorites = lastOf(live.favorites.reading.value);
  const isOn = favorites?.some((favorite) => isSameFavorite(favorite, target)) ?? false;
  /** What was asked for, until the list says so too. */
  const [wanted, setWanted] = useState<boolean>();
  const isPressed = wanted ?? isOn;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the list has changed, so it is the truth again.
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
