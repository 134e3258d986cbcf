/** Events of a channel, or of a provider without a channel; all of them, or those with these event codes. */
export type WindowsEvents = { codes?: readonly number[] | undefined } & (
  | { channel: string; provider?: undefined }
  | { channel?: undefined; provider: string }
);

const SYSMON = "Microsoft-Windows-Sysmon/Operational";
const POWERSHELL = "Microsoft-Windows-PowerShell/Operational";
const POWERSHELL_CORE = "PowerShellCore/Operational";
const POWERSHELL_CLASSIC = "Windows PowerShell";
const KERNEL_FILE = { provider: "Microsoft-Windows-Kernel-File" };

function sysmon(...codes: number[]): readonly WindowsEvents[] {
  return [{ channel: SYSMON, codes }];
}

/** Sigma's categories and the Windows events that record them. */
export const WINDOWS_CATEGORIES: Readonly<Record<string, readonly WindowsEvents[]>> = {
  process_creation: [...sysmon(1), { channel: "Security", codes: [4688] }],
  file_change: sysmon(2),
  network_connection: sysmon(3),
  sysmon_status: sysmon(4, 16),
  process_termination: sysmon(5),
  driver_load: sysmon(6),
  image_load: sysmon(7),
  create_remote_thread: sysmon(8),
  raw_access_thread: sysmon(9),
  process_access: sysmon(10),
  file_event: sysmon(11),
  registry_add: sysmon(12),
  registry_delete: sysmon(12),
  registry_set: sysmon(13),
  registry_rename: sysmon(14),
  registry_event: sysmon(12, 13, 14),
  create_stream_hash: sysmon(15),
  pipe_created: sysmon(17, 18),
  wmi_event: sysmon(19, 20, 21),
  dns_query: sysmon(22),
  file_delete: sysmon(23, 26),
  clipboard_capture: sysmon(24),
  process_tampering: sysmon(25),
  file_block_executable: sysmon(27),
  file_block_shredding: sysmon(28),
  file_executable_detected: sysmon(29),
  sysmon_error: sysmon(255),
  // Sysmon does not record these two, but the kernel trace does.
  file_access: [KERNEL_FILE],
  file_rename: [KERNEL_FILE],
  ps_module: [
    { channel: POWERSHELL, codes: [4103] },
    { channel: POWERSHELL_CORE, codes: [4103] },
  ],
  ps_script: [
    { channel: POWERSHELL, codes: [4104] },
    { channel: POWERSHELL_CORE, codes: [4104] },
  ],
  ps_classic_start: [{ channel: POWERSHELL_CLASSIC, codes: [400] }],
  ps_classic_provider_start: [{ channel: POWERSHELL_CLASSIC, codes: [600] }],
  ps_classic_script: [{ channel: POWERSHELL_CLASSIC, codes: [800] }],
};

/** Sigma's services and their channels. */
export const WINDOWS_SERVICES: Readonly<Record<string, readonly string[]>> = {
  security: ["Security"],
  system: ["System"],
  application: ["Application"],
  sysmon: [SYSMON],
  powershell: [POWERSHELL, POWERSHELL_CORE],
  "powershell-classic": [POWERSHELL_CLASSIC],
  applocker: [
    "Microsoft-Windows-AppLocker/EXE and DLL",
    "Microsoft-Windows-AppLocker/MSI and Script",
    "Microsoft-Windows-AppLocker/Packaged app-Deployment",
    "Microsoft-Windows-AppLocker/Packaged app-Execution",
  ],
  "appmodel-runtime": ["Microsoft-Windows-AppModel-Runtime/Admin"],
  "appxdeployment-server": ["Microsoft-Windows-AppXDeploymentServer/Operational"],
  "appxpackaging-om": ["Microsoft-Windows-AppxPackaging/Operational"],
  "bits-client": ["Microsoft-Windows-Bits-Client/Operational"],
  capi2: ["Microsoft-Windows-CAPI2/Operational"],
  "certificateservicesclient-lifecycle-system": [
    "Microsoft-Windows-CertificateServicesClient-Lifecycle-System/Operational",
  ],
  "codeintegrity-operational": ["Microsoft-Windows-CodeIntegrity/Operational"],
  dhcp: ["Microsoft-Windows-DHCP-Server/Operational"],
  "diagnosis-scripted": ["Microsoft-Windows-Diagnosis-Scripted/Operational"],
  "dns-client": ["Microsoft-Windows-DNS-Client/Operational", "Microsoft-Windows-DNS Client Events/Operational"],
  "dns-server": ["DNS Server"],
  "dns-server-analytic": ["Microsoft-Windows-DNS-Server/Analytical", "Microsoft-Windows-DNSServer/Analytical"],
  "dns-server-audit": ["Microsoft-Windows-DNS-Server/Audit", "Microsoft-Windows-DNSServer/Audit"],
  "driver-framework": ["Microsoft-Windows-DriverFrameworks-UserMode/Operational"],
  "firewall-as": ["Microsoft-Windows-Windows Firewall With Advanced Security/Firewall"],
  "iis-configuration": ["Microsoft-IIS-Configuration/Operational"],
  ldap: ["Microsoft-Windows-LDAP-Client/Debug"],
  "lsa-server": ["Microsoft-Windows-LSA/Operational"],
  "microsoft-servicebus-client": ["Microsoft-ServiceBus-Client", "Microsoft-ServiceBus-Client/Operational"],
  "msexchange-management": ["MSExchange Management"],
  ntlm: ["Microsoft-Windows-NTLM/Operational"],
  openssh: ["OpenSSH/Operational"],
  "printservice-admin": ["Microsoft-Windows-PrintService/Admin"],
  "printservice-operational": ["Microsoft-Windows-PrintService/Operational"],
  "security-mitigations": [
    "Microsoft-Windows-Security-Mitigations/KernelMode",
    "Microsoft-Windows-Security-Mitigations/Kernel Mode",
    "Microsoft-Windows-Security-Mitigations/UserMode",
    "Microsoft-Windows-Security-Mitigations/User Mode",
  ],
  "shell-core": ["Microsoft-Windows-Shell-Core/Operational"],
  "smbclient-connectivity": ["Microsoft-Windows-SmbClient/Connectivity"],
  "smbclient-security": ["Microsoft-Windows-SmbClient/Security"],
  "smbserver-connectivity": ["Microsoft-Windows-SMBServer/Connectivity"],
  taskscheduler: ["Microsoft-Windows-TaskScheduler/Operational"],
  "terminalservices-localsessionmanager": ["Microsoft-Windows-TerminalServices-LocalSessionManager/Operational"],
  vhdmp: ["Microsoft-Windows-VHDMP/Operational"],
  windefend: ["Microsoft-Windows-Windows Defender/Operational"],
  wmi: ["Microsoft-Windows-WMI-Activity/Operational"],
};
