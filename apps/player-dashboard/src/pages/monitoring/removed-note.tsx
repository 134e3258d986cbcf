import type { RemovalBody } from "@player/service/contract/monitoring";
import { useLanguage, usePhrases } from "../../app/app.ts";
import { counted } from "../../app/language/numbers.ts";
import { fill, isolated } from "../../app/language/translations.ts";
import { monitoringPhrases } from "./monitoring-phrases.ts";

export type PlatformKeeps = NonNullable<RemovalBody["platform_keeps"]>;

/** What the platform keeps after a removal. */
export function RemovedNote({ keeps: { address, device_id, messages } }: { keeps: PlatformKeeps }) {
  const phrases = usePhrases(monitoringPhrases);
  const language = useLanguage();
  const total = Object.values(messages).reduce((sum, count) => sum + count, 0);
  const sentence = fill(phrases.platformKeeps, { address: isolated(address), device_id: isolated(device_id) });
  return (
    <div class="news news-well" role="status">
      <p>
        <strong>{phrases.removed}</strong>
      </p>
      <p class="monitoring-kept">
        {sentence} {counted(total, phrases.messages, language)}. {phrases.platformDeletes}
      </p>
    </div>
  );
}
