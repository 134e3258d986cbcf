import { X509Certificate } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@kit/clock";
import type { Ids } from "@kit/clock/ids";
import { invalidField } from "@kit/problem";
import { MODEL_DESTINATION } from "../../assistants/module.ts";
import { OTLP_DESTINATION } from "../../cases/module.ts";
import { type Authority, type AuthorityDeps, loadCertificates } from "../../devices/module.ts";
import { readHttpAdapters, readKey } from "../../foundation/outbound/http-adapters.ts";
import { readMailbox } from "../../foundation/outbound/mail.ts";
import type { PrivateTargets } from "../../foundation/outbound/private-targets.ts";
import { computeKeyFingerprint, type PlatformKey } from "../../foundation/platform-keys/platform-key.ts";
import { readChannelsKeys } from "../../foundation/records/channels-keys.ts";
import { openKeyFile, toNextKey } from "../../foundation/records/key-file.ts";
import { openLedgerKey } from "../../foundation/records/ledger-key.ts";
import { createRenewedSeal, KEY_BYTES } from "../../foundation/records/seal.ts";
import { formatProviderDestination, type SignInSettings } from "../../identity/module.ts";
import { createSealing, type EdrAdapterSettings } from "../../response/module.ts";
import { type AuditVariables, readAuditReceivers } from "./audit-files.ts";
import { openFileStorage, type StorageSettings } from "./file-storage.ts";
import { type ModelVariables, readModelSettings } from "./model-files.ts";
import { readSignInSettings, type SignInVariables } from "./sign-in-files.ts";
import { readEndorsementTrust, type TpmFiles } from "./tpm-files.ts";

/** The operator's configuration of outbound requests and approvals. */
export interface ResponseSettings {
  fourEyes: boolean;
  /** Whether agents open cases; off by default. */
  agentCases?: boolean;
  edrUrl: string | undefined;
  edrKeyFile: string | undefined;
  httpAdaptersFile: string | undefined;
  /** The private hosts and networks that notifications may reach. */
  notifyPrivate: PrivateTargets | undefined;
  smtpUrl: string | undefined;
  smtpFrom: string | undefined;
}

export interface OperatorFilesDeps {
  dataFolder: string;
  /** The key that signs the checkpoints of the ledger; it is never stored in the database. */
  ledgerKeyFile: string;
  /** Encrypts secrets of channels and second factors; `channels.key` in the data folder by default. */
  channelsKeyFile?: string | undefined;
  /** The key and certificate of the devices' authority; `devices-ca.pem` in the data folder by default. */
  devicesCaFile?: string | undefined;
  response: ResponseSettings;
  /** The language model, which is optional. */
  model?: ModelVariables | undefined;
  /** The systems that keep a copy of the audit log. */
  audit?: AuditVariables | undefined;
  tpm?: TpmFiles | undefined;
  signIn?: SignInVariables | undefined;
  /** On disk by default. */
  storage?: StorageSettings | undefined;
  clock: Pick<Clock, "now" | "sleep">;
  ids: Pick<Ids, "secret" | "next">;
}
const CHANNELS = "SOC_CHANNELS_KEY_FILE";
export const DEVICES_CA = "SOC_DEVICES_CA_FILE";
const NO_TPM_FILES: TpmFiles = { rootsFile: undefined, keysFile: undefined };
const PASSWORDS_ONLY: SignInSettings = {
  providers: [],
  breakGlassUser: undefined,
  secondFactorRoles: [],
  isStepUpOn: false,
  minPasswordLength: 8,
};
const ON_DISK: StorageSettings = { address: "disk", keyFile: undefined, region: "", maxBytes: 100 * 1024 ** 2 };
export type OperatorFiles = Awaited<ReturnType<typeof readOperatorFiles>>;

/** Reads the keys and adapters that the operator keeps in files. Creates missing platform keys. */
export async function readOperatorFiles(deps: OperatorFilesDeps) {
  const { dataFolder, ledgerKeyFile, response, model, signIn, clock, ids } = deps;
  const { tpm = NO_TPM_FILES, storage = ON_DISK } = deps;
  const channelsKeyFile = deps.channelsKeyFile ?? join(dataFolder, "channels.key");
  const channelsKey = await openKeyFile(CHANNELS, channelsKeyFile, () => ids.secret(KEY_BYTES));
  const seal = createRenewedSeal(() => readChannelsKeys(channelsKeyFile), ids);
  const ledgerKey = await openLedgerKey(ledgerKeyFile);
  const authorityFile = deps.devicesCaFile ?? join(dataFolder, "devices-ca.pem");
  const keys: PlatformKey[] = [
    {
      name: "ledger",
      variable: "SOC_LEDGER_KEY_FILE",
      fingerprint: ledgerKey.key_id,
      others: await readNextLedgerKey(ledgerKeyFile),
    },
    {
      name: "channels",
      variable: CHANNELS,
      fingerprint: computeKeyFingerprint(channelsKey),
      others: readChannelsKeys(channelsKeyFile).slice(1).map(computeKeyFingerprint),
    },
    ...(await readAuthorityKey(authorityFile)),
  ];
  return {
    keys,
    ledgerKey,
    sealing: createSealing(seal),
    seal,
    httpAdapters: await readHttpAdapters(response.httpAdaptersFile),
    edr: await readEdrSettings(response),
    mailbox: readMailbox(response.smtpUrl, response.smtpFrom),
    model: model && (await readModelSettings(model)),
    auditReceivers: deps.audit ? await readAuditReceivers(deps.audit) : {},
    signIn: signIn ? await readSignInSettings(signIn) : PASSWORDS_ONLY,
    endorsementTrust: await readEndorsementTrust(tpm),
    storage: await openFileStorage({ settings: storage, dataFolder, clock, ids }),
    authorityFile,
    openAuthority: () => loadAuthority({ path: authorityFile, clock, ids }),
  };
}

/** A host that has the next key may start while another one already signs with it. */
async function readNextLedgerKey(path: string): Promise<string[]> {
  const next = toNextKey(path);
  return existsSync(next) ? [(await openLedgerKey(next)).key_id] : [];
}

/** The destinations whose addresses the operator configured. They may be in a private network. */
export function listConfigured({ signIn }: Pick<OperatorFiles, "signIn">): string[] {
  return ["edr", MODEL_DESTINATION, OTLP_DESTINATION, ...signIn.providers.map(formatProviderDestination)];
}

/**
 * Returns nothing if the file is missing, because most platforms have no devices. Does not load the certificate
 * library.
 */
export async function readAuthorityKey(path: string): Promise<PlatformKey[]> {
  if (!existsSync(path)) return [];
  try {
    const { fingerprint256 } = new X509Certificate(await readFile(path));
    const fingerprint = fingerprint256.replaceAll(":", "").toLowerCase();
    return [{ name: "devices-ca", variable: DEVICES_CA, fingerprint }];
  } catch (cause) {
    throw invalidField(DEVICES_CA, "must name a file with the authority's key and certificate", { cause });
  }
}

/** The certificate library is loaded on first use, because most processes never need it. */
async function loadAuthority(deps: AuthorityDeps): Promise<Authority> {
  const { openAuthority } = await loadCertificates();
  return openAuthority(deps);
}

async function readEdrSettings({ edrUrl: url, edrKeyFile }: ResponseSettings): Promise<EdrAdapterSettings | undefined> {
  if (url === undefined && edrKeyFile === undefined) return undefined;
  if (url === undefined) {
    throw invalidField("SOC_EDR_ADAPTER_URL", "required when SOC_EDR_ADAPTER_KEY_FILE is set");
  }
  if (edrKeyFile === undefined) {
    throw invalidField("SOC_EDR_ADAPTER_KEY_FILE", "required when SOC_EDR_ADAPTER_URL is set");
  }
  return { url, key: await readKey("SOC_EDR_ADAPTER_KEY_FILE", edrKeyFile) };
}
