import { useApp, usePhrases } from "../../app/app.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import { usePlaying } from "../../app/playback/playing.ts";
import { chooseStart, useTransport } from "../../app/playback/transport.ts";
import { IconButton } from "../../design/button.tsx";
import { simplePhrases } from "./simple-phrases.ts";
import type { Tile } from "./tiles.ts";
import { usePlayTile } from "./use-play-tile.ts";

/** `first` is what the large button starts when nothing was played before. */
export function SimpleTransport({ first }: { first: Tile | undefined }) {
  const { live } = useApp();
  const { play, pause } = usePhrases(commonPhrases);
  const { previous, next } = usePhrases(simplePhrases);
  const transport = useTransport();
  const playTile = usePlayTile();
  const hasNeighbours = usePlaying().kind === "surah";
  const status = live.playback.view.value;
  const start = status && chooseStart(status);
  const isPausing = start?.path === "/playback/pause";
  const press = () => {
    if (start) transport.toggle();
    else if (first) void playTile(first);
  };
  return (
    <div class="simple-transport" dir="ltr">
      <IconButton
        icon="previous"
        label={previous}
        kind="plain"
        size="huge"
        disabled={!hasNeighbours}
        onClick={() => void transport.previous()}
      />
      <div class="simple-play">
        <IconButton
          icon={isPausing ? "pause" : "play"}
          label={isPausing ? pause : play}
          kind="primary"
          size="huge"
          disabled={!(start || first)}
          onClick={press}
        />
      </div>
      <IconButton
        icon="next"
        label={next}
        kind="plain"
        size="huge"
        disabled={!hasNeighbours}
        onClick={() => void transport.next()}
      />
    </div>
  );
}
