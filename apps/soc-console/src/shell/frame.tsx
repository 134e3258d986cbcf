import { Outlet } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, useState } from "react";
import { useAddress } from "../app/address/use-address.ts";
import { useLiveAttention } from "../app/attention/attention.ts";
import { readStored, writeStored } from "../app/browser/browser-storage.ts";
import { useCommands } from "../app/keys/commands-context.tsx";
import { KeySheet } from "../app/keys/key-sheet.tsx";
import { Palette } from "../app/keys/palette.tsx";
import { usePhrases } from "../app/language/language-context.tsx";
import { LimitNotice } from "./limit-notice.tsx";
import { ModeStrip } from "./mode-strip.tsx";
import { NoticesList } from "./notices-list.tsx";
import { Rail } from "./rail.tsx";
import { shellPhrases } from "./shell-phrases.ts";
import { StatusLine } from "./status-line.tsx";
import { usePaletteSearch } from "./use-palette-search.ts";
import { useShellCommands } from "./use-shell-commands.ts";
import "./shell.css";

const RAIL_KEY = "rail";
/** The wall page has no frame. */
const WALL = "/wall";

/** Loaded on first use and kept mounted, so that the conversation survives. */
const ChatDrawer = lazy(async () => ({
  default: (await import("../pages/assistants/chat/chat-drawer.tsx")).ChatDrawer,
}));

function useChatDrawer() {
  const [state, setState] = useState({ isOpen: false, wasOpened: false });
  return {
    ...state,
    toggle: useCallback(() => setState(({ isOpen }) => ({ isOpen: !isOpen, wasOpened: true })), []),
    close: useCallback(() => setState({ isOpen: false, wasOpened: true }), []),
  };
}

/** The frame around every page. */
export function Frame() {
  const words = usePhrases(shellPhrases);
  const [isFolded, setIsFolded] = useState(() => readStored(RAIL_KEY) === "folded");
  const { path, go } = useAddress();
  const search = usePaletteSearch();
  const foldRail = useCallback(
    () =>
      setIsFolded((before) => {
        writeStored(RAIL_KEY, before ? "open" : "folded");
        return !before;
      }),
    [],
  );
  const chat = useChatDrawer();
  useLiveAttention();
  useCommands(useShellCommands(foldRail, chat.toggle));
  if (path === WALL) {
    return (
      <>
        <Outlet />
        <Palette search={search} onNavigate={go} />
        <KeySheet />
      </>
    );
  }
  return (
    <div className="frame">
      <a className="frame-skip" href="#main">
        {words.skip}
      </a>
      <ModeStrip />
      <div className="frame-middle">
        <Rail isFolded={isFolded} onFold={foldRail} isChatOpen={chat.isOpen} onChat={chat.toggle} />
        <div className="frame-page">
          <LimitNotice />
          <Outlet />
          <StatusLine />
        </div>
        {chat.wasOpened && (
          <Suspense fallback={null}>
            <ChatDrawer isOpen={chat.isOpen} onClose={chat.close} />
          </Suspense>
        )}
      </div>
      <NoticesList />
      <Palette search={search} onNavigate={go} />
      <KeySheet />
    </div>
  );
}
