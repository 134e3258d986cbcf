import { render } from "preact";
import { createApiClient, isRecord } from "./app/api/api-client.ts";
import { createCommands } from "./app/api/commands.ts";
import { errorWords } from "./app/api/error-words.ts";
import { type App, AppContext } from "./app/app.ts";
import { tabStorage } from "./app/browser/browser-storage.ts";
import { after, deadline, nowMs } from "./app/browser/clock.ts";
import { createTokenKeeper, readToken } from "./app/browser/token-keeper.ts";
import { ControlProvider } from "./app/controls/control-provider.tsx";
import { showErrors } from "./app/errors/error-notices.ts";
import { createInstall, InstallContext } from "./app/install/install.ts";
import { createRenewal } from "./app/install/renewal.ts";
import { createLanguageChoice } from "./app/language/language-choice.ts";
import { createLive } from "./app/live/live.ts";
import { createNavigation } from "./app/navigation.ts";
import { createNotices } from "./app/notices/notices.ts";
import { createScrollPlace } from "./app/scroll-place.ts";
import { presentToken } from "./app/token/present-token.ts";
import { unlock } from "./app/token/unlock.ts";
import { TokenDialog } from "./app/unlock/token-dialog.tsx";
import { Frame } from "./shell/frame.tsx";
import { SimpleSwitch } from "./shell/simple-switch.tsx";
import "./design/controls.css";
import "./design/layout.css";
import "./shell/shell.css";

/** The version of the service in the same commit, filled in by the build. */
declare const BUILD_VERSION: string;

const root = document.getElementById("app");
if (!root) throw new Error("index.html has no #app");

// The QR code on the device's screen opens the page with the token behind the #, which no server ever sees.
const fromAddress = readToken(location.hash.slice(1));
if (fromAddress) history.replaceState(null, "", location.pathname);

const request = (path: string, options: RequestInit) => fetch(path, options);
const openSocket = () => presentToken(new WebSocket(`${location.origin.replace(/^http/, "ws")}/ws`), tokens.token);
const choice = createLanguageChoice();
const notices = createNotices(after);
const tokens = createTokenKeeper(fromAddress);
const api = createApiClient({ fetch: request, deadline, token: () => tokens.token.value });
const live = createLive({ api, openSocket, after, nowMs });
const renew = createRenewal({ build: BUILD_VERSION, storage: tabStorage(), reload: () => location.reload() });
live.onFrame((frame) => {
  if (frame.type === "hello") renew(frame.data.version);
});
showErrors({ live, notices, language: () => choice.language.value });
const commands = createCommands({
  tokens,
  report: (error) => notices.show("refused", errorWords(error, choice.language.value)),
});
// The page restores its place itself, when its lists have arrived.
history.scrollRestoration = "manual";
const place = createScrollPlace({
  readKept: () => (isRecord(history.state) && typeof history.state.scroll === "number" ? history.state.scroll : 0),
  keep: (scroll) => history.replaceState({ scroll }, ""),
  top: () => window.scrollY,
  scrollTo: (top) => window.scrollTo(0, top),
  onResize: (listener) => {
    const observer = new ResizeObserver(listener);
    observer.observe(root);
    return () => observer.disconnect();
  },
  onScroll: (listener) => window.addEventListener("scroll", listener, { passive: true }),
  onTouch: (listener) => {
    for (const type of ["wheel", "touchstart", "keydown"]) window.addEventListener(type, listener, { passive: true });
  },
  after,
});
const navigation = createNavigation({
  read: () => location.pathname,
  push: (path) => history.pushState(null, "", path),
  onMove: (listener) => window.addEventListener("popstate", listener),
  toTop: () => window.scrollTo(0, 0),
  place,
});
const install = createInstall({
  listen: (type, listener) => window.addEventListener(type, listener),
  isStandalone: matchMedia("(display-mode: standalone)").matches,
  container: "serviceWorker" in navigator ? navigator.serviceWorker : undefined,
});
window.addEventListener("online", live.tryNow);
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && live.tryNow());

const app: App = {
  ...{ api, live, commands, tokens, notices, navigation, choice },
  unlock: (typed) => unlock(typed, (token) => createApiClient({ fetch: request, deadline, token: () => token })),
};

render(
  <AppContext.Provider value={app}>
    <ControlProvider>
      <InstallContext.Provider value={install}>
        <SimpleSwitch>
          <Frame />
        </SimpleSwitch>
      </InstallContext.Provider>
      <TokenDialog />
    </ControlProvider>
  </AppContext.Provider>,
  root,
);
place.restore();
