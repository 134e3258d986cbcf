import { useEffect, useRef } from "preact/hooks";
import { useApp, usePhrases, useResource } from "../../app/app.ts";
import { lastOf } from "../../app/live/resource.ts";
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
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div class="simple-view">
      <h1 ref={heading} class="screen-reader-only" tabIndex={-1}>
        {title}
      </h1>
      <SimplePrayer />
      <div class="simple-listen">
        <SimpleNow />
        <SimpleTransport first={tiles[0]} />
        <SimpleVolume />
      </div>
      <SimpleTiles tiles={tiles} isKnown={favorites !== undefined && stations !== undefined} />
      <LeaveButton onLeave={onLeave} />
    </div>
  );
}
