import { hostname } from "node:os";
import type { Ids } from "@kit/clock/ids";
import { formatServiceAddress } from "@kit/http/service";
import type { CertificateService } from "./certificate/certificate.service.ts";
import { type ControlsService, type ControlsServiceDeps, createControlsService } from "./controls/controls.service.ts";
import type { ConsoleDevice } from "./drivers/console-device.ts";
import type { Hardware } from "./drivers/hardware.ts";
import { playCode } from "./pairing/code-sound.ts";
import { createPairingService, type PairingService } from "./pairing/pairing.service.ts";
import { createPairingConsole, type PairingConsole } from "./pairing/pairing-console.ts";
import type { PlaybackService } from "./playback/playback.service.ts";
import { createResetService, type ResetService, type ResetServiceDeps } from "./reset/reset.service.ts";
import type { DeviceToken } from "./token/device-token.ts";

export interface OwnerParts {
  dataFolder: string;
  token: DeviceToken;
  /** Where a person reads who is connected to the device itself; undefined without a terminal. */
  deviceConsole: ConsoleDevice | undefined;
  /** Whether a person in front of the device may get the token from it. */
  hasPairing: boolean;
  /** The port of the service; it is also advertised in the local network. */
  port: number;
  /** Without a certificate the service uses plain HTTP. */
  certificate: CertificateService | undefined;
  ids: Ids;
}

export interface OwnerDeps
  extends Omit<ControlsServiceDeps, "pairing" | "reset">,
    Pick<
      ResetServiceDeps,
      "store" | "quiet" | "removeCopies" | "replaceAuthority" | "reloads" | "dropSockets" | "forgetNetworks" | "events"
    > {
  parts: OwnerParts;
  playback: ControlsServiceDeps["playback"] & Pick<PlaybackService, "interrupt" | "failure">;
  hardware: Pick<Hardware, "keys">;
  hasScreen: () => boolean;
  /** The address of the device in its network; "" without a network. */
  ip: () => string;
  /** Opens the device's own network, through which a phone reaches it. */
  openSetupNetwork: () => void;
  onWrongToken: () => void;
  log: ResetServiceDeps["log"] & ControlsServiceDeps["log"];
}

export interface Owner {
  pairing: PairingService;
  pairingConsole: PairingConsole;
  reset: ResetService;
  controls: ControlsService;
}

/** Access to the device: codes, keys and the reset. */
export function createOwner(deps: OwnerDeps): Owner {
  const { parts, hardware, playback, hasScreen, ip, onWrongToken, clock, log } = deps;
  const { dataFolder, token, deviceConsole, hasPairing, port, certificate, ids } = parts;
  const pairing = createPairingService({
    isOn: hasPairing,
    token,
    address: () => formatServiceAddress({ host: ip() || hostname(), port, hasTls: certificate !== undefined }),
    ways: () => ({
      screen: hasScreen(),
      console: pairingConsole.isReady(),
      sound: !hasScreen() && hasButton() && playback.failure() === undefined,
      button: hasButton(),
    }),
    onCode(code, by) {
      // Without a network no phone could use the code.
      if (ip() === "") deps.openSetupNetwork();
      if (by === "console") return;
      deviceConsole?.write(`Pairing code, valid for five minutes: ${code}\n`);
      if (!hasScreen() && !playback.isInterrupted()) soundCode(code);
    },
    onWrongCode: onWrongToken,
    clock,
    ids,
  });

  const pairingConsole = createPairingConsole({ dataFolder, pairing, log });

  function hasButton(): boolean {
    return hardware.keys().has("main") || hardware.keys().has("setup");
  }

  function soundCode(code: string): void {
    const play = (path: string) => playback.interrupt({ path, name: "", volume: 0 });
    playCode(code, dataFolder, play).catch((error: unknown) => log.error({ err: error }, "playing the code failed"));
  }

  const reset = createResetService({
    ...deps,
    suspendPairing: () => pairing.suspend(),
    renewToken: () => token.renew(),
  });
  return { pairing, pairingConsole, reset, controls: createControlsService({ ...deps, pairing, reset }) };
}
