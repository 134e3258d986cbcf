import { useState } from "preact/hooks";
import { useApp } from "../../app/app.ts";
import { NoticeList } from "../../app/status/notice-list.tsx";
import { UnreachableBanner } from "../../app/status/unreachable-banner.tsx";
import { isSimpleKept, keepSimple } from "./saved-view.ts";
import { SimpleEntry } from "./simple-entry.tsx";
import { SimpleView } from "./simple-view.tsx";
import "./simple.css";

/** For elders and children. Shown without the frame: no tabs, no settings. */
export function SimplePage({ onKept }: { onKept: (isKept: boolean) => void }) {
  const { navigation } = useApp();
  const [isEntered, setEntered] = useState(isSimpleKept);
  const keep = (isSimple: boolean) => {
    keepSimple(isSimple);
    setEntered(isSimple);
    onKept(isSimple);
  };
  const leave = () => {
    keep(false);
    navigation.go("/");
  };
  return (
    <div class="simple">
      <UnreachableBanner />
      <main id="page">{isEntered ? <SimpleView onLeave={leave} /> : <SimpleEntry onEnter={() => keep(true)} />}</main>
      <div class="simple-notices">
        <NoticeList />
      </div>
    </div>
  );
}
