import type { Language } from "../language/language.ts";
import type { Live } from "../live/live.ts";
import type { Notices } from "../notices/notices.ts";
import { errorPhrases } from "./error-phrases.ts";

export interface ErrorNoticesDeps {
  live: Pick<Live, "onFrame">;
  notices: Pick<Notices, "show">;
  language: () => Language;
}

/** Shows every error of the device as a notice, whatever page is open. */
export function showErrors({ live, notices, language }: ErrorNoticesDeps): void {
  live.onFrame((frame) => {
    if (frame.type === "error") notices.show("refused", errorPhrases[language()].events[frame.data.code]);
  });
}
