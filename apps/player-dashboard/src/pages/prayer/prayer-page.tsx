import { useApp, usePhrases } from "../../app/app.ts";
import { commonPhrases } from "../../app/language/common-phrases.ts";
import type { PanelProps } from "../../app/prayer/panel-props.ts";
import { usePrayer } from "../../app/prayer/use-prayer.ts";
import { Icon } from "../../design/icons.tsx";
import { EmptyState, Link, PageTitle } from "../../design/layout.tsx";
import { AdhanPanel } from "./adhan-panel.tsx";
import { CalculationPanel } from "./calculation-panel.tsx";
import { MonthPage } from "./month-page.tsx";
import { NightPanel } from "./night-panel.tsx";
import { PlacePanel } from "./place-panel.tsx";
import { prayerPhrases } from "./prayer-phrases.ts";
import { QiblaPanel } from "./qibla-panel.tsx";
import { TimesPanel } from "./times-panel.tsx";
import { TrustPanel } from "./trust-panel.tsx";
import "./prayer.css";

export function PrayerPage() {
  const { navigation } = useApp();
  return navigation.path.value === "/prayer/month" ? <MonthPage /> : <TodayPage />;
}

function TodayPage() {
  const { prayer: title } = usePhrases(commonPhrases);
  const phrases = usePhrases(prayerPhrases);
  const panel = usePrayer();
  return (
    <>
      <PageTitle
        actions={
          panel?.prayer.configured && (
            <Link to="/prayer/month" class="button button-plain">
              <Icon name="print" />
              <span>{phrases.month}</span>
            </Link>
          )
        }
      >
        {title}
      </PageTitle>
      {panel ? <Panels {...panel} /> : <div class="waiting waiting-tall" aria-busy="true" />}
    </>
  );
}

function Panels(panel: PanelProps) {
  if (!panel.prayer.configured) return <NoPlace {...panel} />;
  return (
    <div class="panels panels-two">
      <div class="stack">
        <TimesPanel {...panel} />
        <TrustPanel {...panel} />
        <QiblaPanel {...panel} />
        <NightPanel {...panel} />
      </div>
      <div class="stack">
        <AdhanPanel {...panel} />
        <CalculationPanel {...panel} />
        <PlacePanel {...panel} />
      </div>
    </div>
  );
}

function NoPlace(panel: PanelProps) {
  const phrases = usePhrases(prayerPhrases);
  return (
    <div class="stack">
      <EmptyState icon="prayer" title={phrases.noPlace}>
        <p>{phrases.noPlaceHint}</p>
        <Link to="/welcome" class="button button-primary">
          {phrases.startGuide}
        </Link>
      </EmptyState>
      <PlacePanel {...panel} />
    </div>
  );
}
