import { useApp, usePhrases } from "../../app/app.ts";
import { WifiForm } from "../../app/wifi/wifi-form.tsx";
import { useJoining, WifiOutcome } from "../../app/wifi/wifi-outcome.tsx";
import { StepFrame, type StepProps } from "./step-frame.tsx";
import { welcomePhrases } from "./welcome-phrases.ts";

/** Only for a device without a network. The phone has to follow it into the new one. */
export function WifiStep({ onNext, onBack }: StepProps) {
  const { live } = useApp();
  const phrases = usePhrases(welcomePhrases);
  const { joining, begin } = useJoining();
  return (
    <StepFrame title={phrases.wifiTitle} onBack={onBack} onNext={onNext}>
      <p>{phrases.wifiText}</p>
      <div role="status">{joining && <WifiOutcome joining={joining} />}</div>
      {!live.settings.view.value?.wifi_connected && <WifiForm onJoin={begin} />}
    </StepFrame>
  );
}
