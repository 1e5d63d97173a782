/** Hosts that show what another host shows. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["twitter.com", "x.com"],
  ["old.reddit.com", "reddit.com"],
  ["new.reddit.com", "reddit.com"],
  ["np.reddit.com", "reddit.com"],
  ["youtube-nocookie.com", "youtube.com"]
])

const video = /^[\w-]{11}$/

/** The video an address of YouTube is about: it has many, with places in the video and in lists. */
const videoOf = (url: URL): string | undefined => {
  const [first = "", second = ""] = url.pathname.split("/").filter((part) => part !== "")
  const id =
    url.hostname === "youtu.be"
      ? first
      : first === "watch"
        ? url.searchParams.get("v")
        : /^(?:shorts|embed|live|v)$/.test(first)
          ? second
          : null
  return id !== null && video.test(id) ? id : undefined
}

/** The address that a few large sites have for what they show under several. Takes one without `www.` or `m.`. */
export const atHome = (url: URL): URL => {
  const home = new URL(url)
  home.hostname = otherNames.get(url.hostname) ?? url.hostname
  if (home.hostname === "youtube.com" || home.hostname === "youtu.be") {
    const id = videoOf(home)
    return id === undefined ? home : new URL(`https://youtube.com/watch?v=${id}`)
  }
  if (home.hostname === "github.com")
    // Owners and repositories are found in any case, and as what `git clone` takes.
    home.pathname = home.pathname.replace(/^\/[^/]+\/[^/]+|^\/[^/]+$/, (name) =>
      name.toLowerCase().replace(/(?<=\/[^/]+\/[^/]+)\.git$/, "")
    )
  return home
}
