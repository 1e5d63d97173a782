import { decoded, registeredDomain, withoutWww } from "../../../shared/WebAddress.ts"
import type { PageProbe } from "./PageProbe.ts"
import * as signs from "./WallSigns.ts"
import { plainWords, type Titles } from "./WallSigns.ts"

/** Pages that are served in place of the requested page, in order of precedence. */
export const walls = ["bot-wall", "login", "consent", "not-found", "parked", "shell"] as const
export type Wall = (typeof walls)[number]

export interface Visit {
  readonly asked: string
  readonly url: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** The status with which LinkedIn refuses programs; it has no other use. */
const REFUSES_PROGRAMS = 999

/** Whether an error status may come with a challenge or a log-in. */
export const mayBeWall = (status: number): boolean =>
  [401, 403, 405, 406, 429, 503, REFUSES_PROGRAMS].includes(status)

const MAX_HEADER = 200

export const headersOf = (headers: Headers): Visit["headers"] =>
  Object.fromEntries(
    signs.wallHeaders.flatMap((name) => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value.slice(0, MAX_HEADER)]]
    })
  )

const THRESHOLD = 5

/** The steps of a path in lower case, without separators and extension: `/wp-login.php` has `wplogin`. */
const stepsOf = ({ pathname }: URL): ReadonlyArray<string> =>
  pathname
    .toLowerCase()
    .split("/")
    .map((step) => step.replace(/\.[a-z]{2,5}$/, "").replace(/[^a-z0-9]+/g, ""))
    .filter((step) => step !== "")

const hasStep = (url: URL, steps: ReadonlySet<string>) => stepsOf(url).some((step) => steps.has(step))

const firstLabel = ({ hostname }: URL) => hostname.split(".", 1)[0] ?? ""

const isLogin = (url: URL): boolean => {
  const steps = stepsOf(url)
  return (
    signs.loginHosts.has(firstLabel(url)) ||
    hasStep(url, signs.loginSteps) ||
    steps.some((step, n) => signs.loginPairs.has(`${steps[n - 1] ?? ""}/${step}`))
  )
}

const isConsent = (url: URL) => signs.consentHosts.has(firstLabel(url)) || hasStep(url, signs.consentSteps)

const isNotFound = (url: URL) => hasStep(url, signs.notFoundSteps)

const isParking = ({ hostname }: URL) => signs.parkingHosts.has(registeredDomain(hostname))

const returns = (url: URL): boolean => {
  for (const name of url.searchParams.keys())
    if (signs.returnParameters.has(name.toLowerCase().replace(/[^a-z]+/g, ""))) return true
  return false
}

const startsPath = ({ pathname }: URL, beginnings: ReadonlyArray<string>) =>
  beginnings.some((beginning) => pathname.toLowerCase().startsWith(beginning))

/** Divides a title where sites put their name: `Page not found | Example`, `Error 404: Page not found`. */
const divided = (title: string): ReadonlyArray<string> => [
  title,
  ...title.split(/\s[-–—:/]\s|:\s|::|[|·•»«›‹–—]/)
]

/** Words that notices put before and beside their message. */
const noticeWords: ReadonlySet<string> = new Set(
  "404 410 error http sorry oops ooops oh uh whoops hmm ups oups uups".split(" ")
)

/** A notice without its number and sighs: `Oops! 404 Not Found` is `not found`; of those alone, the number. */
const bareNotice = (words: string): string => {
  const all = words.split(" ")
  const kept = all.filter((word) => !noticeWords.has(word))
  return kept.length > 0 ? kept.join(" ") : (all.find((word) => word.startsWith("4")) ?? "")
}

interface Case {
  readonly look: PageProbe
  readonly asked: URL
  readonly url: URL
  readonly status: number
  readonly headers: Visit["headers"]
  readonly isRedirected: boolean
  readonly title: ReadonlyArray<string>
  readonly heading: ReadonlyArray<string>
  /** The words of the requested address: a page about what its address names is the requested one. */
  readonly askedWords: ReadonlySet<string>
  /** The text as words; empty on a page with so much text that phrases in it say nothing. */
  readonly words: string
  /** In letters of an alphabet: a Chinese or Korean character counts as three. */
  readonly size: number
  readonly siteName: string
  readonly namesOnlySite: boolean
  /** A title for cards, besides that of the document. */
  readonly statesTitle: boolean
  readonly statements: number
}

const matches = (titles: () => Titles, parts: ReadonlyArray<string>, asked: ReadonlySet<string>) => {
  const { beginnings, whole } = titles()
  return parts.some(
    (part) =>
      part !== "" &&
      (whole.has(part) || beginnings.some((beginning) => part.startsWith(beginning))) &&
      !part.split(" ").every((word) => asked.has(word))
  )
}

const squashed = (text: string) => plainWords(text).replaceAll(" ", "")

const namesOnlySite = (title: string, url: URL, siteName: string): boolean => {
  const name = squashed(title)
  if (name === "") return true
  const host = withoutWww(url.hostname)
  return [host, siteName, ...host.split(".").slice(0, -1)].some((one) => squashed(one) === name)
}

const isPlaceholder = (description: string) => signs.templateDescriptions().includes(plainWords(description))

const letters = (text: string) =>
  text.length +
  2 * (text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu)?.length ?? 0)

/** Phrases in more text than this say nothing about the page as a whole. */
const MAX_PHRASED = 4_000

const caseOf = (look: PageProbe, visit: Visit): Case => {
  const [asked, url] = [new URL(visit.asked), new URL(visit.url)]
  const { meta, text } = look
  const size = look.isWhole ? letters(text) : Math.max(letters(text), MAX_PHRASED + 1)
  const description = meta.get("description") ?? meta.get("og:description") ?? ""
  const siteName = meta.get("og:site_name") ?? ""
  const title = divided(look.title).map(plainWords)
  const ogTitle = meta.get("og:title") ?? ""
  const statesTitle =
    ogTitle !== "" && !title.includes(plainWords(ogTitle)) && !namesOnlySite(ogTitle, url, siteName)
  return {
    look,
    asked,
    url,
    status: visit.status,
    headers: visit.headers,
    isRedirected: withoutWww(asked.hostname) !== withoutWww(url.hostname) || asked.pathname !== url.pathname,
    title,
    heading: divided(look.heading).map(plainWords),
    askedWords: new Set(plainWords(`${withoutWww(asked.hostname)} ${decoded(asked.pathname)}`).split(" ")),
    words: size > MAX_PHRASED ? "" : plainWords(`${text} ${look.noscript}`),
    size,
    siteName,
    namesOnlySite: namesOnlySite(look.title, url, siteName),
    statesTitle,
    statements:
      (description === "" || isPlaceholder(description) ? 0 : 1) +
      (statesTitle || meta.has("article:published_time") || look.hasJsonLd ? 1 : 0)
  }
}

/** Two thirds of the weight for the first phrase that occurs, the rest for a second one. */
const phraseScore = (words: string, phrases: () => ReadonlyArray<string>): number => {
  let found = 0
  for (const phrase of phrases()) if (words.includes(phrase) && ++found === 2) return 3
  return found * 2
}

const hasMark = (markup: string, marks: ReadonlyArray<string>) => marks.some((mark) => markup.includes(mark))

/** The weight of a title; one less for a heading under a title that names only the site. */
const titleScore = (
  { askedWords, heading, namesOnlySite, title }: Case,
  titles: () => Titles,
  weight: number
) => {
  if (matches(titles, title, askedWords)) return weight
  return namesOnlySite && matches(titles, heading, askedWords) ? weight - 1 : 0
}

const noIndex = ({ look: { meta } }: Case) => (/noindex/i.test(meta.get("robots") ?? "") ? 1 : 0)

/** The weight of a page's size: walls say little. */
const sizeScore = (size: number): number => {
  if (size < 40) return 3
  if (size < 120) return 2
  if (size < 600) return 1
  if (size < 1_500) return 0
  return size < 4_000 ? -3 : -6
}

/** The weight of pages with menus, languages and terms around their message. */
const lenientSizeScore = (size: number): number => {
  if (size < 600) return 1
  if (size < 4_000) return 0
  return size < 8_000 ? -2 : -5
}

const botWall = (page: Case): number => {
  const { asked, headers, isRedirected, look, size, status, url, words } = page
  const has = (pairs: ReadonlyArray<readonly [string, RegExp]>) =>
    pairs.some(([name, value]) => value.test(headers[name] ?? ""))
  const challenge = has(signs.challengeHeaders) || status === REFUSES_PROGRAMS ? 9 : 0
  const knownTitle = Math.max(titleScore(page, signs.productTitles, 4), titleScore(page, signs.wallTitles, 3))
  // A title of several parts, such as “Captcha - a board game”, is more likely to be about it.
  const [whole = "", ...parts] = page.title
  const isAlone = parts.every((part) => part === whole || namesOnlySite(part, url, page.siteName))
  const title =
    knownTitle || (isAlone || page.namesOnlySite ? titleScore(page, signs.ambiguousWallTitles, 2) : 0)
  const vendor = hasMark(look.markup, signs.vendorMarkup) ? 2 : 0
  const mark = hasMark(look.markup, signs.wallMarkup) ? 5 : vendor
  const phrase = phraseScore(words, signs.wallPhrases)
  const heading =
    knownTitle === 0 && size < 600 && matches(signs.wallTitles, page.heading, page.askedWords) ? 2 : 0
  const isSentThere =
    isRedirected && startsPath(url, signs.challengePaths) && !startsPath(asked, signs.challengePaths)
  const certain = challenge + knownTitle + mark + phrase + (isSentThere ? 3 : 0)
  // Most refusals mean what their status says.
  if (status >= 400 && certain === 0) return 0
  return (
    certain +
    Math.max(title - knownTitle, heading) +
    (status >= 400 ? 2 + (has(signs.protectionHeaders) ? 2 : 0) : 0) +
    noIndex(page) +
    sizeScore(size) -
    page.statements -
    (title === 0 && !page.namesOnlySite ? 2 : 0)
  )
}

const login = (page: Case): number => {
  const { asked, isRedirected, look, size, status, url, words } = page
  if (isLogin(asked)) return 0
  const isSentThere = isRedirected && isLogin(url)
  const isFront = !isRedirected && asked.pathname === "/"
  const isRefusal = status === 401 || status === 403
  const title = titleScore(page, signs.loginTitles, 3)
  const phrase = phraseScore(words, signs.loginPhrases)
  const controls = phraseScore(plainWords(look.labels), signs.loginControls)
  const isShort = size < 600
  /** Visitors log in without a password: by an address, or by another site's account. */
  const hasControls =
    (look.hasIdentity && (size < 400 || (size < 1_500 && controls > 0))) || (isShort && controls > 2)
  const isAsked = !look.hasPassword && title > 0 && hasControls
  /** Whether it says under its site's name alone that one must log in. */
  const namesItself = page.namesOnlySite && namesOnlySite(look.heading, url, page.siteName)
  const isNotice = isShort && phrase > 0 && namesItself && page.statements === 0
  // A page about logging in has such a title too, but nothing to log in with.
  if (!isSentThere && !isRefusal && !look.hasPassword && !isAsked && !isNotice && size >= 120) return 0
  return (
    (isSentThere ? 4 + (returns(url) ? 1 : 0) : 0) +
    (isRefusal ? 2 : 0) +
    title +
    (look.hasPassword || (isAsked && look.hasIdentity) || isNotice ? 2 : 0) +
    (isAsked ? controls : 0) +
    phrase +
    (isSentThere ? Math.max(lenientSizeScore(size), -2) : lenientSizeScore(size)) +
    (size < 40 ? 1 : 0) -
    (isSentThere ? 0 : page.statements) -
    (title === 0 && !page.namesOnlySite ? 2 : 0) -
    (isFront ? 3 : 0)
  )
}

const consent = (page: Case): number => {
  const { asked, isRedirected, look, size, url, words } = page
  if (isConsent(asked)) return 0
  return (
    (isRedirected && isConsent(url) ? 5 + (returns(url) ? 1 : 0) : 0) +
    titleScore(page, signs.consentTitles, 3) +
    (hasMark(look.markup, signs.consentMarkup) ? 2 : 0) +
    phraseScore(words, signs.consentPhrases) +
    lenientSizeScore(size) -
    page.statements
  )
}

const notFound = (page: Case): number => {
  const { asked, askedWords, isRedirected, size, url, words } = page
  const isSubject = askedWords.has("404") || (askedWords.has("not") && askedWords.has("found"))
  const says = (parts: ReadonlyArray<string>) =>
    !isSubject && matches(signs.notFoundTitles, parts.concat(parts.map(bareNotice)), askedWords)
  const title = says(page.title)
  const heading = says(page.heading) || (size < 200 && says([words]))
  return (
    (title ? 3 : 0) +
    (heading ? (title ? 1 : 2) : 0) +
    (isRedirected && isNotFound(url) && !isNotFound(asked) ? 3 : 0) +
    phraseScore(words, signs.notFoundPhrases) +
    noIndex(page) +
    (size < 40 ? 2 : lenientSizeScore(size)) -
    page.statements -
    (title || heading || page.namesOnlySite ? 0 : 2)
  )
}

const MAX_OFFER = 200

const parked = (page: Case): number => {
  const { asked, look, size, url, words } = page
  if (isParking(asked) || (size > MAX_PHRASED && !isParking(url))) return 0
  const [domain, whole] = [plainWords(withoutWww(asked.hostname)), plainWords(look.title)]
  /** A page that offers the domain it is at: `The domain example.com is for sale`. */
  const offers = (said: string) => signs.saleEndings().some((ending) => said.includes(`${domain} ${ending}`))
  const isOffered = offers(whole) || offers(plainWords(look.heading)) || offers(words.slice(0, MAX_OFFER))
  const title = isOffered
    ? 4
    : titleScore(page, signs.parkedTitles, 4) || titleScore(page, signs.placeholderTitles, 2)
  return (
    title +
    (isParking(url) ? 5 : 0) +
    (hasMark(look.markup, signs.parkingMarkup) ? 4 : 0) +
    phraseScore(words, signs.parkedPhrases) +
    (size < 40 ? 3 : lenientSizeScore(size)) -
    (isParking(url) || isOffered ? 0 : page.statements) -
    (title === 0 && !page.namesOnlySite ? 2 : 0)
  )
}

const shell = (page: Case): number => {
  const { asked, look, size, words } = page
  const isGeneric = matches(signs.shellTitles, page.title, page.askedWords)
  // The name of a site is the right title of its first page.
  const isUntitled = look.title === "" || (page.namesOnlySite && asked.pathname !== "/")
  const needsScripts = phraseScore(words, signs.shellPhrases)
  // A site's shell may describe the site, and says that it needs scripts.
  const statesNothing = page.statements === 0 || (!page.statesTitle && !look.hasJsonLd && needsScripts > 0)
  if (!(isGeneric ? !page.statesTitle : isUntitled && statesNothing)) return 0
  const hasHeading =
    !namesOnlySite(look.heading, page.url, page.siteName) &&
    !matches(signs.shellTitles, page.heading, page.askedWords) &&
    phraseScore(plainWords(look.heading), signs.shellPhrases) === 0
  if (hasHeading || size >= 300 || !look.isWhole) return 0
  return (
    (isGeneric ? 3 : 0) +
    (look.hasAppRoot ? 2 : 0) +
    (look.hasScript ? 1 : 0) +
    needsScripts +
    (!isGeneric && phraseScore(plainWords(look.text), signs.shellPhrases) > 0 ? 1 : 0) +
    (size < 40 ? 2 : size < 120 ? 1 : 0)
  )
}

const scorers: Readonly<Record<Wall, (page: Case) => number>> = {
  "bot-wall": botWall,
  login,
  consent,
  "not-found": notFound,
  parked,
  shell
}

const ofErrors: ReadonlySet<Wall> = new Set(["bot-wall", "login", "consent"])

/**
 * Null if the page is the requested one. Adds up titles and phrases, markup and headers of the vendors, fields for
 * passwords, redirects, the status, and how little the page says. Text, a description and an address that names the
 * subject count against a wall: an article about bot walls is an article.
 */
export const wallOf = (look: PageProbe, visit: Visit): Wall | null => {
  const page = caseOf(look, visit)
  let found: Wall | null = null
  let most = THRESHOLD - 1
  for (const wall of walls) {
    if (visit.status >= 400 && !ofErrors.has(wall)) continue
    const score = scorers[wall](page)
    if (score > most) {
      found = wall
      most = score
    }
  }
  return found
}
