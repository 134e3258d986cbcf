import { describeAdvertiser } from "../../testing/advertiser.contract.ts";
import { describeBacklight } from "../../testing/backlight.contract.ts";
import { describeBatteryGauge } from "../../testing/battery.contract.ts";
import { describeServiceNotifier } from "../../testing/notifier.contract.ts";
import { describePowerManager } from "../../testing/power.contract.ts";
import { describeWifiManager } from "../../testing/wifi.contract.ts";
import { createSimulatedAdvertiser } from "./simulated-advertiser.ts";
import { createSimulatedBacklight } from "./simulated-backlight.ts";
import { createSimulatedBattery } from "./simulated-battery.ts";
import { createSimulatedNotifier } from "./simulated-notifier.ts";
import { createSimulatedPower } from "./simulated-power.ts";
import { createSimulatedWifi } from "./simulated-wifi.ts";

const remove = async () => undefined;

describeWifiManager("the simulated radio", async () => ({ manager: createSimulatedWifi(), remove }));

describeBacklight("the simulated backlight", async () => {
  const backlight = createSimulatedBacklight();
  return { backlight, shown: async () => backlight.brightness() / 255 };
});

describeBatteryGauge("the simulated battery", async () => {
  const gauge = createSimulatedBattery();
  return {
    gauge,
    become: async (battery) => {
      if (battery) gauge.become({ percentage: battery.percentage, charging: battery.state !== "discharging" });
      else gauge.takeOut();
    },
    remove,
  };
});

describePowerManager("the simulated sleep", async () => {
  const manager = createSimulatedPower();
  return { manager, wake: async () => manager.wake(), remove };
});

describeAdvertiser("the simulated advertiser", async () => {
  const advertiser = createSimulatedAdvertiser();
  return { advertiser, found: async () => advertiser.found(), remove };
});

describeServiceNotifier("the simulated notifier", async () => {
  const notifier = createSimulatedNotifier();
  return { notifier, sent: notifier.sent, remove };
});
