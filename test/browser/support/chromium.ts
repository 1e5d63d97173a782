import { existsSync } from "node:fs"

const DEBIAN = "/usr/bin/chromium"
/** The same without a window, and a third faster; it knows no extensions. */
const DEBIAN_SHELL = "/usr/bin/chromium-headless-shell"

/** How to come by the browser, for whoever has none. */
export const INSTALL = `Install it with "apt-get install chromium" (Debian), or name another Chromium in the environment variable CHROMIUM.`

const firstOf = (paths: ReadonlyArray<string>) => {
  const named = process.env["CHROMIUM"]
  return (named === undefined ? paths : [named]).find((path) => existsSync(path))
}

/** Where Chromium is to be found: what `CHROMIUM` names, else Debian's; undefined where there is none. */
export const findChromium = (): string | undefined => firstOf([DEBIAN])

/** The same, for pages alone. */
export const findShell = (): string | undefined => firstOf([DEBIAN_SHELL, DEBIAN])

/** The commands that install Debian's Chromium here, or none where they cannot be run. */
export const installCommands = (): ReadonlyArray<ReadonlyArray<string>> => {
  const sudo = process.getuid?.() === 0 ? [] : Bun.which("sudo") === null ? undefined : ["sudo", "-n"]
  if (sudo === undefined || Bun.which("apt-get") === null || process.env["CHROMIUM"] !== undefined) return []
  const aptGet = [...sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
  const install = (name: string) => [...aptGet, "install", "-y", "--no-install-recommends", name]
  // Not every Debian has the second one, and all goes without it too.
  return [[...aptGet, "update"], install("chromium"), install("chromium-headless-shell")]
}
