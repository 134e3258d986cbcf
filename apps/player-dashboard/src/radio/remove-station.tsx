import type { StationBody } from "@player/service/contract/stations";
import { RemoveDialog } from "../controls/remove-dialog.tsx";
import { fill, isolated } from "../language/translations.ts";
import { useApp, usePhrases } from "../shell/app.ts";
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
