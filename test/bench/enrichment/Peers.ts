import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { type Answer, type Library, noAnswer } from "./Answer.ts"
import { htmlOf } from "./Pages.ts"
import { plainText } from "./PlainText.ts"

/** The peers and what they need, in the versions that they are compared in. */
const packages: ReadonlyArray<string> = [
  "metascraper@5.58.1",
  "metascraper-author@5.56.2",
  "metascraper-date@5.55.0",
  "metascraper-description@5.56.2",
  "metascraper-image@5.56.2",
  "metascraper-lang@5.51.1",
  "metascraper-logo@5.56.2",
  "metascraper-publisher@5.56.2",
  "metascraper-title@5.56.2",
  "metascraper-url@5.56.2",
  "open-graph-scraper@6.12.0",
  "unfurl.js@6.4.0",
  "defuddle@0.19.4",
  "@mozilla/readability@0.6.0",
  "jsdom@31.0.1"
]

/** The command that installs the peers beside the project. */
export const installCommand = `npm i --prefix "$PEERS" ${packages.join(" ")}`

/** The folder in whose `node_modules` the peers are, if `PEERS` names one. */
const folder: string | undefined = Bun.env["PEERS"]

/** Whether a folder is named, and everything is installed in it: Bun would look for the rest elsewhere. */
export const hasPeers = (): boolean =>
  folder !== undefined &&
  packages.every((one) => existsSync(join(folder, "node_modules", one.slice(0, one.lastIndexOf("@")))))

const load = async (name: string): Promise<unknown> => {
  const loaded: unknown = await import(pathToFileURL(Bun.resolveSync(name, folder ?? "")).href)
  return loaded
}

/** The value at a path of names; undefined where the path leaves the objects. */
const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (inside, name) => (typeof inside === "object" && inside !== null ? Reflect.get(inside, name) : undefined),
    value
  )

/** The first text or first text of a list that is not empty. */
const text = (...candidates: ReadonlyArray<unknown>): string | null => {
  const found = candidates
    .map((candidate) => (Array.isArray(candidate) ? candidate[0] : candidate))
    .find((candidate) => typeof candidate === "string" && candidate.trim() !== "")
  return typeof found === "string" ? found.trim() : null
}

type Call = (...given: ReadonlyArray<unknown>) => unknown

/** A function that a module exports, or its default export's. */
const callable = (module: unknown, name: string): Call => {
  const value =
    Reflect.get(Object(module), name) ?? Reflect.get(Object(Reflect.get(Object(module), "default")), name)
  if (typeof value !== "function") throw new Error(`a peer exports no function named ${name}`)
  return (...given) => Reflect.apply(value, undefined, given)
}

/** A class that a module exports. */
const constructor = (module: unknown, name: string): Call => {
  const value = Reflect.get(Object(module), name)
  if (typeof value !== "function") throw new Error(`a peer exports no class named ${name}`)
  return (...given) => Reflect.construct(value, [...given])
}

/** Its logo plugin is counted in its time alone: a site's logo is another picture than the page's icon. */
const metascraper = async (): Promise<Library> => {
  const plugins = "author date description image lang logo publisher title url".split(" ")
  const rules = await Promise.all(
    plugins.map(async (plugin) => callable(await load(`metascraper-${plugin}`), "default")())
  )
  const scrape = callable({ scrape: callable(await load("metascraper"), "default")(rules) }, "scrape")
  return {
    prepare: ({ id, url }) => {
      const html = htmlOf(id)
      return async () => {
        const found = await scrape({ html, url })
        return {
          ...noAnswer,
          title: text(at(found, "title")),
          description: text(at(found, "description")),
          image: text(at(found, "image")),
          canonical: text(at(found, "url")),
          site: text(at(found, "publisher")),
          author: text(at(found, "author")),
          published: text(at(found, "date")),
          language: text(at(found, "lang"))
        }
      }
    }
  }
}

const openGraphScraper = async (): Promise<Library> => {
  const scrape = callable(await load("open-graph-scraper"), "default")
  return {
    prepare: ({ id }) => {
      const html = htmlOf(id)
      return async () => {
        const found = at(await scrape({ html }), "result")
        const image = (name: string) => {
          const list = at(found, name)
          return at(Array.isArray(list) ? list[0] : list, "url")
        }
        return {
          ...noAnswer,
          title: text(at(found, "ogTitle"), at(found, "twitterTitle"), at(found, "dcTitle")),
          description: text(
            at(found, "ogDescription"),
            at(found, "twitterDescription"),
            at(found, "dcDescription")
          ),
          image: text(image("ogImage"), image("twitterImage")),
          canonical: text(at(found, "ogUrl")),
          icon: text(at(found, "favicon")),
          site: text(at(found, "ogSiteName"), at(found, "applicationName")),
          author: text(
            at(found, "author"),
            at(found, "articleAuthor"),
            at(found, "dcCreator"),
            at(found, "twitterCreator")
          ),
          published: text(
            at(found, "articlePublishedTime"),
            at(found, "articlePublishedDate"),
            at(found, "dcDate"),
            at(found, "articleDate")
          ),
          language: text(at(found, "ogLocale"), at(found, "language"))
        }
      }
    }
  }
}

/** unfurl.js reads addresses alone, so a server on loopback answers with the page whose turn it is. */
const unfurl = async (): Promise<Library> => {
  const scrape = callable(await load("unfurl.js"), "unfurl")
  let html = ""
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response(html, { headers: { "content-type": "text/html; charset=utf-8" } })
  })
  return {
    prepare: ({ id, url }) => {
      html = htmlOf(id)
      const page = new URL(url)
      const served = `http://127.0.0.1:${server.port}`
      const home = (address: string | null) => address?.replace(served, page.origin) ?? null
      return async () => {
        const found = await scrape(`${served}${page.pathname}${page.search}`, { oembed: false })
        const [openGraph, card] = [at(found, "open_graph"), at(found, "twitter_card")]
        const first = (source: unknown, list: string, name: string) => {
          const items = at(source, list)
          return Array.isArray(items) ? at(items[0], name) : undefined
        }
        return {
          ...noAnswer,
          title: text(at(openGraph, "title"), at(card, "title"), at(found, "title")),
          description: text(at(openGraph, "description"), at(card, "description"), at(found, "description")),
          image: home(text(first(openGraph, "images", "url"), first(card, "images", "url"))),
          canonical: home(text(at(found, "canonical_url"), at(openGraph, "url"))),
          icon: home(text(at(found, "favicon"))),
          site: text(at(openGraph, "site_name")),
          author: text(at(found, "author"), first(openGraph, "articles", "author"), at(card, "creator")),
          published: text(first(openGraph, "articles", "published_time")),
          language: text(at(openGraph, "locale"))
        }
      }
    }
  }
}

const defuddle = async (): Promise<Library> => {
  const extract = callable(await load("defuddle/node"), "Defuddle")
  return {
    prepare: ({ id, url }) => {
      const html = htmlOf(id)
      return async () => {
        // Without this option it asks other services about some sites.
        const found = await extract(html, url, { useAsync: false })
        const content = at(found, "content")
        return {
          ...noAnswer,
          title: text(at(found, "title")),
          description: text(at(found, "description")),
          image: text(at(found, "image")),
          icon: text(at(found, "favicon")),
          site: text(at(found, "site")),
          author: text(at(found, "author")),
          published: text(at(found, "published")),
          language: text(at(found, "language")),
          text: typeof content === "string" ? plainText(content) : "",
          article: typeof content === "string" ? content : ""
        }
      }
    }
  }
}

const readability = async (): Promise<Library> => {
  const jsdom = await load("jsdom")
  const page = constructor(jsdom, "JSDOM")
  const console = constructor(jsdom, "VirtualConsole")
  const reader = constructor(await load("@mozilla/readability"), "Readability")
  return {
    prepare: ({ id, url }) => {
      const html = htmlOf(id)
      return async () => {
        // A console without listeners keeps jsdom's complaints about style sheets out of the output.
        const { window } = Object(page(html, { url, virtualConsole: console() }))
        const extractor = reader(at(window, "document"))
        const found = Reflect.apply(Reflect.get(Object(extractor), "parse"), extractor, [])
        const content = at(found, "content")
        const answer: Answer = {
          ...noAnswer,
          title: text(at(found, "title")),
          description: text(at(found, "excerpt")),
          site: text(at(found, "siteName")),
          author: text(at(found, "byline")),
          published: text(at(found, "publishedTime")),
          language: text(at(found, "lang")),
          text: typeof content === "string" ? plainText(content) : "",
          article: typeof content === "string" ? content : ""
        }
        Reflect.apply(Reflect.get(window, "close"), window, [])
        return answer
      }
    }
  }
}

/** The peers by the name that the tables give them. */
export const peers: ReadonlyMap<string, () => Promise<Library>> = new Map([
  ["metascraper", metascraper],
  ["open-graph-scraper", openGraphScraper],
  ["unfurl.js", unfurl],
  ["defuddle", defuddle],
  ["Readability on jsdom", readability]
])
