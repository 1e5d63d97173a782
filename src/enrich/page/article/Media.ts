import { setOf } from "../../../domain/Markup.ts"
import { webAddress } from "../WebAddress.ts"
import { isPixel, pictureAddress, setAddress } from "./ArticleAttributes.ts"

type Values = ReadonlyMap<string, string>

/** The element that stands for a link to media: extraction takes its label for text, and would drop a link. */
export const EMBED_LINK = "embed-link"

/** Addresses as the page writes them. */
export interface Embed {
  readonly address: string
  readonly label: string
  readonly picture: string | undefined
}

/** In UTF-16 units. */
const MAX_LABEL = 200

/** Whether an address leads to the web does not depend on its base. */
const somewhere = new URL("https://site.invalid/")
const isAddress = (written: string | undefined): written is string => webAddress(written, somewhere) !== null

/** Players whose media have a page of their own, and perhaps a picture, by the address that embeds them. */
const players: ReadonlyArray<{
  readonly name: string
  readonly embedded: RegExp
  readonly page: string
  readonly picture?: string
}> = [
  {
    name: "youtube",
    embedded: /\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/(?:embed|v)\/(?!videoseries)([\w-]{11})/,
    page: "https://www.youtube.com/watch?v=$",
    picture: "https://i.ytimg.com/vi/$/hqdefault.jpg"
  },
  {
    // A film with a secret in its address has no other page.
    name: "vimeo",
    embedded: /\/\/player\.vimeo\.com\/video\/(\d{1,12})(?!.*[?&;]h=)/,
    page: "https://vimeo.com/$"
  },
  {
    name: "dailymotion",
    embedded: /\/\/(?:www\.|geo\.)?dailymotion\.com\/embed\/video\/(\w{1,12})/,
    page: "https://www.dailymotion.com/video/$"
  },
  {
    name: "spotify",
    embedded: /\/\/open\.spotify\.com\/embed\/(\w{4,12}\/\w{22})/,
    page: "https://open.spotify.com/$"
  }
]

/** Scripts that write a text or a program into the page, by the address of its own page. */
const scripts =
  /^((?:https?:)?\/\/(?:gist\.[\w.-]+\/[\w./-]+?|[\w.-]+\/(?:[\w./-]+\/)?(?:snippets|a)\/\w+)(?=\.js(?:$|[?#]))|(?:https?:)?\/\/[\w.-]+\/[\w./-]+?(?=\/embed(?:ded)?\/))/

const mediaWord =
  /embed|player|video|audio|podcast|track|maps?\b|slide|present|viewer|chart|graph|plugins\/(?:video|post)/i
const otherWord =
  /doubleclick|googlesyndication|googletagmanager|adservice|adsystem|adnxs|taboola|outbrain|criteo|captcha|consent|(?<!no)cookie|disqus|comments?\b|newsletter|subscri|sign[ -]?(?:up|in)\b|log[ -]?in\b|accounts\.|button|cross.?domain|addthis|sharethis|tweet_button|(?:widgets?|plugins)\/(?:follow|like|share|page)|(?:^|[\W_])(?:ads?|advert(?:isement)?s?|banner|tracking|analytics|beacon)(?:$|[\W_])/i
const videoElement = /youtube|vimeo|dailymotion|video|audio|player|iframe|embed/

const mediaElements = setOf("iframe embed object video audio")
export const mayEmbed = (name: string): boolean =>
  mediaElements.has(name) || name === "script" || (name.includes("-") && videoElement.test(name))

/** The first of these attributes with an address: pages that load media late keep it in one of their own. */
const addressIn = (values: Values, ...names: ReadonlyArray<string>): string | undefined =>
  [...names, ...[...values.keys()].filter((name) => /^data-.*(?:src|url|href)$/.test(name))]
    .map((name) => values.get(name)?.trim())
    .find(isAddress)

const labelOf = (values: Values, address: string) => {
  const stated = ["title", "aria-label", "playlabel", "data-title"].map(
    (name) => values.get(name)?.trim() ?? ""
  )
  const shown = address.replace(/^(?:https?:)?\/\/(?:www\.)?/, "").replace(/#.*$|\?.{40}.*$/s, "")
  return (stated.find((one) => one !== "") ?? (shown || address)).slice(0, MAX_LABEL)
}

const embed = (values: Values, address: string, picture?: string): Embed => {
  const [, drawn] =
    /background(?:-image)?\s*:[^;]*url\(\s*(?:&quot;|["'])?([^"')&]+)/i.exec(values.get("style") ?? "") ?? []
  return {
    address,
    label: labelOf(values, address),
    picture: [values.get("poster"), values.get("data-poster"), drawn, picture].find(isAddress)
  }
}

const embedded = (values: Values, address: string): Embed => {
  for (const player of players) {
    const id = player.embedded.exec(address)?.[1]
    if (id !== undefined) return embed(values, player.page.replace("$", id), player.picture?.replace("$", id))
  }
  return embed(values, address)
}

const isPartOfArticle = (values: Values, address: string) => {
  const words = ["title", "class", "id", "name"].map((name) => values.get(name) ?? "").join(" ")
  if (isPixel((name) => values.get(name)) || otherWord.test(`${address} ${words}`)) return false
  const isPlayed =
    values.has("allowfullscreen") || /fullscreen|autoplay|encrypted-media/.test(values.get("allow") ?? "")
  return isPlayed || mediaWord.test(address) || (values.get("title") ?? "") !== ""
}

export const embedOf = (name: string, values: Values): Embed | undefined => {
  if (name === "script") {
    const page = scripts.exec(values.get("src") ?? "")?.[0]
    return page === undefined ? undefined : embed(values, page)
  }
  const address = addressIn(values, "src", "data", "url", "href")
  if (name === "video" || name === "audio") return address === undefined ? undefined : embed(values, address)
  if (address !== undefined) return isPartOfArticle(values, address) ? embedded(values, address) : undefined
  // A player of the page's own making: `<lite-youtube videoid>`, `<amp-vimeo data-videoid>`.
  const player = players.find((one) => name.includes(one.name))
  const id = ["videoid", "video-id", "data-videoid", "data-video-id", "data-id"]
    .map((attribute) => values.get(attribute) ?? "")
    .find((one) => /^[\w-]{3,32}$/.test(one))
  return player === undefined || id === undefined
    ? undefined
    : embed(values, player.page.replace("$", id), player.picture?.replace("$", id))
}

/** Elements of pages' own making that are pictures, such as `<amp-img>`. */
export const isPictureElement = (name: string): boolean =>
  name === "image" || (name.includes("-") && /-(?:img|image|anim)$/.test(name))

export const MAX_SOURCES = 8

const placeholder =
  /(?:^|[/_-])(?:blank|spacer|placeholder|transparent|pixel|1x1|loading|loader|lazy|gr[ae]y|empty|trans|dummy)[\w.-]*\.(?:gif|png|svg|jpe?g|webp)(?:$|[?#])/i
const pictureFile = /^\S+\.(?:jpe?g|png|webp|gif|avif|bmp)(?:[?#]\S*)?$/i
const lateAttribute = /^data-.*(?:src|lazy|image|img|original|full|echo)/

const lateAddress = (values: Values, sources: ReadonlyArray<Values>): string | undefined => {
  const late = [...values].filter(([name]) => name.startsWith("data-"))
  const named = late.filter(([name]) => lateAttribute.test(name))
  const found =
    late.find(([, value]) => pictureFile.test(value.trim())) ??
    named.find(([, value]) => /^(?:https?:)?\/\/?\S+$/.test(value.trim()) && isAddress(value))
  if (found !== undefined) return found[1].trim()
  const sets = [
    ...named.map(([, value]) => value),
    // Few systems can decode AVIF.
    ...sources
      .toSorted(
        (one, other) =>
          Number(/avif/.test(one.get("type") ?? "")) - Number(/avif/.test(other.get("type") ?? ""))
      )
      .flatMap((source) =>
        ["data-srcset", "data-lazy-srcset", "srcset", "data-src", "src"].map((name) => source.get(name) ?? "")
      )
  ]
  return sets.map(setAddress).find(isAddress)
}

/** Undefined if the usual attributes have a picture's address, or nothing has. */
export const lostAddress = (values: Values, sources: ReadonlyArray<Values>): string | undefined => {
  const usual = pictureAddress((name) => values.get(name), somewhere)
  return usual === null || placeholder.test(usual) ? lateAddress(values, sources) : undefined
}
