import { useApp, usePhrases, useResource } from "../../app/app.ts";
import { PlaybackError } from "../../app/errors/playback-error.tsx";
import { lastOf } from "../../app/live/resource.ts";
import { useHeading } from "../../design/heading.ts";
import { LeaveButton } from "./leave-button.tsx";
import { SimpleNow } from "./simple-now.tsx";
import { simplePhrases } from "./simple-phrases.ts";
import { SimplePrayer } from "./simple-prayer.tsx";
import { SimpleTiles } from "./simple-tiles.tsx";
import { SimpleTransport } from "./simple-transport.tsx";
import { SimpleVolume } from "./simple-volume.tsx";
import { chooseTiles } from "./tiles.ts";

export function SimpleView({ onLeave }: { onLeave: () => void }) {
  const { live } = useApp();
  const { title } = usePhrases(simplePhrases);
  const favorites = lastOf(useResource(live.favorites));
  const stations = lastOf(useResource(live.stations));
  const tiles = chooseTiles(favorites ?? [], stations ?? []);
  const heading = useHeading();
  return (
    <div class="simple-view">
      <h1 ref={heading} class="screen-reader-only" tabIndex={-1}>
        {title}
      </h1>
      <SimplePrayer />
      <div class="simple-listen">
        <PlaybackError />
        <SimpleNow />
        <SimpleTransport first={tiles[0]} />
        <SimpleVolume />
      </div>
      <SimpleTiles tiles={tiles} isKnown={favorites !== undefined && stations !== undefined} />
      <LeaveButton onLeave={onLeave} />
    </div>
  );
}
