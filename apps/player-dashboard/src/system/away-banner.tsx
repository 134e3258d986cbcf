import type { SystemBody } from "@player/service/contract/system";
import type { Phrases } from "../language/phrases.ts";
import { awayWords } from "./words.ts";

export interface AwayBannerProps {
  error: string | undefined;
  lastSystem: SystemBody | undefined;
  phrases: Phrases;
  tryNow: () => void;
}

export function AwayBanner({ error, lastSystem, phrases, tryNow }: AwayBannerProps) {
  return (
    <div class="away">
      <div>
        <p class="away-title">{awayWords(error, phrases)}</p>
        <p>
          {phrases.awayHint} {lastSystem && phrases.lastKnown}
        </p>
      </div>
      <button type="button" class="action" onClick={tryNow}>
        {phrases.tryNow}
      </button>
    </div>
  );
}
