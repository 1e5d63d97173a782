import { existsSync } from "node:fs"

const DEBIAN = "/usr/bin/chromium"
/** Chromium without a window: a third faster, but without extensions. */
const DEBIAN_SHELL = "/usr/bin/chromium-headless-shell"

/** How to install the browser. */
export const INSTALL = `Install it with "apt-get install chromium" (Debian), or name another Chromium in the environment variable CHROMIUM.`

const firstOf = (paths: ReadonlyArray<string>) => {
  const named = process.env["CHROMIUM"]
  return (named === undefined ? paths : [named]).find((path) => existsSync(path))
}

/** The path of Chromium: the value of `CHROMIUM`, else Debian's; undefined if it is not installed. */
export const findChromium = (): string | undefined => firstOf([DEBIAN])

/** The path of a Chromium for pages, which need no extensions. */
export const findShell = (): string | undefined => firstOf([DEBIAN_SHELL, DEBIAN])

/** The commands that install Debian's Chromium, or none if they cannot run here. */
export const installCommands = (): ReadonlyArray<ReadonlyArray<string>> => {
  const sudo = process.getuid?.() === 0 ? [] : Bun.which("sudo") === null ? undefined : ["sudo", "-n"]
  if (sudo === undefined || Bun.which("apt-get") === null || process.env["CHROMIUM"] !== undefined) return []
  const aptGet = [...sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
  const install = (name: string) => [...aptGet, "install", "-y", "--no-install-recommends", name]
  // The second package is optional, and some versions of Debian do not have it.
  return [[...aptGet, "update"], install("chromium"), install("chromium-headless-shell")]
}
