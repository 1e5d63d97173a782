/** The section of a version in a changelog (keepachangelog.com), without its heading; undefined if it has none. */
export const changesIn = (changelog: string, version: string): string | undefined => {
  const sections = changelog.split(/^## /m).slice(1)
  const section = sections.find((text) => text.startsWith(`[${version}]`))
  return section
    ?.slice(section.indexOf("\n"))
    .replace(/^\[[^\]]+\]: .*$/gm, "")
    .trim()
}
