import { existsSync } from "node:fs"
import { isLong } from "../../support/tier.ts"

/** Where Debian installs Chromium, and Chromium without a window, which is a third faster but runs no extensions. */
const DEBIAN = "/usr/bin/chromium"
const DEBIAN_SHELL = "/usr/bin/chromium-headless-shell"

/** How to install the browser. */
export const INSTALL = `Install it with "apt-get install chromium" (Debian), or name another Chromium in the environment variable CHROMIUM.`

/** The Chromium that a person has named for all tests. */
const named = process.env["CHROMIUM"]

const installed = (path: string) => (existsSync(path) ? path : undefined)

/** The path of Chromium: the value of `CHROMIUM`, else Debian's; undefined if it is not installed. */
export const findChromium = (): string | undefined => installed(named ?? DEBIAN)

/** The path of the shell, in which everyday tests of pages run; undefined if it is not installed. */
const findShell = () => installed(DEBIAN_SHELL)

/** The path of a Chromium for pages, which need no extensions: the shell, except in the long tier. */
export const findPageBrowser = (): string | undefined =>
  (named === undefined && !isLong ? findShell() : undefined) ?? findChromium()

/** The commands that install the missing ones of Debian's packages, or none if they cannot run here. */
export const installCommands = (): ReadonlyArray<ReadonlyArray<string>> => {
  const sudo = process.getuid?.() === 0 ? [] : Bun.which("sudo") === null ? undefined : ["sudo", "-n"]
  if (sudo === undefined || Bun.which("apt-get") === null || named !== undefined) return []
  const aptGet = [...sudo, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get"]
  const install = (name: string) => [...aptGet, "install", "-y", "--no-install-recommends", name]
  const missing = [
    ...(findChromium() === undefined ? ["chromium"] : []),
    // Some versions of Debian do not have the shell; pages are then tested in Chromium.
    ...(findShell() === undefined ? ["chromium-headless-shell"] : [])
  ]
  return missing.length === 0 ? [] : [[...aptGet, "update"], ...missing.map(install)]
}
