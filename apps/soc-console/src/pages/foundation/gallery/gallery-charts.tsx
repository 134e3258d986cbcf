import { Meter } from "../../../design/charts/meter.tsx";
import { Spark } from "../../../design/charts/spark.tsx";
import { Panel } from "../../../design/panel.tsx";

export function GalleryCharts() {
  return (
    <Panel title="Rule time" aside="24 h">
      <p className="gallery-row">
        <span className="number">1,284</span>
        <Spark label="Alerts by hour" values={[3, 4, 2, 6, 8, 5, 9, 14, 12, 7, 4, 0, 3]} />
      </p>
      <Meter
        label="Ran 99.2 %, late 0.5 %, silent 0.3 %"
        parts={[
          { key: "ran", value: 99.2, fill: "var(--ok)" },
          { key: "late", value: 0.5, fill: "var(--waiting)" },
          { key: "silent", value: 0.3, fill: "var(--failed)" },
        ]}
      />
      <p className="soft">ran 99.2 · late 0.5 · silent 0.3 %</p>
    </Panel>
  );
}
