import type { StationBody } from "@player/service/contract/stations";
import { useApp, usePhrases } from "../../app/app.ts";
import { RemoveDialog } from "../../app/controls/remove-dialog.tsx";
import { fill, isolated } from "../../app/language/translations.ts";
import { radioPhrases } from "./radio-phrases.ts";

export function RemoveStation({ station, onClose }: { station: StationBody; onClose: () => void }) {
  const { api } = useApp();
  const phrases = usePhrases(radioPhrases);
  return (
    <RemoveDialog
      title={phrases.removeTitle}
      question={fill(phrases.removeQuestion, { station: isolated(station.name) })}
      yes={phrases.removeYes}
      keep={phrases.keep}
      removed={phrases.removed}
      remove={() => api.remove(`/radio/stations/${station.id}`)}
      onClose={onClose}
    />
  );
}
