import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useApp } from "../app/app.ts";
import { isSimpleKept } from "../pages/simple/saved-view.ts";
import type { SimplePage } from "../pages/simple/simple-page.tsx";

/** Shows the simple view at its address and in browsers that stored the choice. The back button does not leave it. */
export function SimpleSwitch({ children }: { children: ComponentChildren }) {
  const { navigation } = useApp();
  const [isKept, setKept] = useState(isSimpleKept);
  return isKept || navigation.path.value === "/simple" ? <LazySimplePage onKept={setKept} /> : children;
}

function LazySimplePage({ onKept }: { onKept: (isKept: boolean) => void }) {
  const [loaded, setLoaded] = useState<{ Page: typeof SimplePage }>();
  useEffect(() => {
    void import("../pages/simple/simple-page.tsx").then(({ SimplePage: Page }) => setLoaded({ Page }));
  }, []);
  return loaded ? <loaded.Page onKept={onKept} /> : <div class="waiting waiting-tall" aria-busy="true" />;
}
