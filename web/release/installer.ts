/** Stands in `install.sh` for the address of the releases. */
const PLACE = "@RELEASES@"

/** The installer of a release: the script with the address of the releases in it. */
export const installer = (script: string, releases: string): string => {
  if (!/^https:\/\/[\w.-]+(:\d+)?(\/[\w.-]+)+$/.test(releases))
    throw new Error(`${releases} is not the https address of releases`)
  if (script.split(PLACE).length !== 2) throw new Error(`install.sh must name ${PLACE} once`)
  return script.replace(PLACE, releases)
}
