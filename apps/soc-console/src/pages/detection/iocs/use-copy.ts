import type { Command } from "../../../app/keys/commands.ts";
import { usePhrases } from "../../../app/language/language-context.tsx";
import { useNotices } from "../../../app/notices/notices.tsx";
import { copyText } from "../../../app/text/copy.ts";
import { defang } from "../../../app/text/defang.ts";
import { iocsPhrases } from "./iocs-phrases.ts";

/** Copies an indicator unchanged, for a tool, or defanged, for a mail. */
export function useCopy() {
  const words = usePhrases(iocsPhrases);
  const { notify } = useNotices();
  const copy = async (text: string, notice: string) => {
    await copyText(text);
    notify({ tone: "ok", text: notice });
  };
  return {
    commands: (value: string): Command[] => [
      {
        id: "iocs.copy",
        label: words.copyPlain,
        group: words.title,
        keys: ["mod+c"],
        run: () => copy(value, words.copiedPlain),
      },
      {
        id: "iocs.copy-defanged",
        label: words.copyDefanged,
        group: words.title,
        keys: ["mod+⇧C"],
        run: () => copy(defang(value), words.copiedDefanged),
      },
    ],
  };
}
