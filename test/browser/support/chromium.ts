import { existsSync } from "node:fs"

const DEBIAN = "/usr/bin/chromium"

/** How to come by the browser, for whoever has none. */
export const INSTALL = `Install it with "apt-get install chromium" (Debian), or name another Chromium in the environment variable CHROMIUM.`

/** Where Chromium is to be found: what `CHROMIUM` names, else Debian's; undefined where there is none. */
export const findChromium = (): string | undefined => {
  const named = process.env["CHROMIUM"] ?? DEBIAN
  return existsSync(named) ? named : undefined
}

/** The commands that install Debian's Chromium here, or none where they cannot be run. */
export const installCommands = (): ReadonlyArray<ReadonlyArray<string>> => {
  const sudo = process.getuid?.() === 0 ? [] : Bun.which("sudo") === null ? undefined : ["sudo", "-n"]
  if (sudo === undefined || Bun.which("apt-get") === null || process.env["CHROMIUM"] !== undefined) return []
  const aptGet = [...sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
  return [
    [...aptGet, "update"],
    [...aptGet, "install", "-y", "--no-install-recommends", "chromium"]
  ]
}
