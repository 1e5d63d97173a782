import type { SandboxReply } from "../../../../src/enrich/page/Sandbox.ts"
import { serveParent } from "../../../../src/runtime/ChildMain.ts"

/** A compromised sandbox: the page's path or the picture's first byte chooses what it does. */

const metadata = {
  title: "Stated",
  description: "",
  canonicalUrl: null,
  image: null,
  favicon: null,
  siteName: null,
  author: null,
  publishedAt: null,
  language: null,
  type: null,
  facts: {},
  oembed: null
}
const content = { text: "words", article: "", author: null, description: "", language: null }
const stated: SandboxReply = { said: "metadata", metadata }

const invalid: Readonly<Record<string, unknown>> = {
  "long-title": { said: "metadata", metadata: { ...metadata, title: "x".repeat(301) } },
  "bad-address": { said: "metadata", metadata: { ...metadata, image: "javascript:alert(1)" } },
  "bad-time": { said: "metadata", metadata: { ...metadata, publishedAt: "<script>" } },
  "bad-type": { said: "metadata", metadata: { ...metadata, type: "<b>" } },
  "bad-language": { said: "metadata", metadata: { ...metadata, language: "en<b>" } },
  "long-text": { said: "content", content: { ...content, text: "x".repeat(131_073) } },
  "site-title": { said: "site", site: { title: "x".repeat(301) } },
  "site-address": { said: "site", site: { image: "javascript:alert(1)" } },
  "site-facts": { said: "site", site: { facts: { score: -1 } } },
  "site-type": { said: "site", site: { type: "<b>" } },
  "no-such-word": { said: "secret" },
  "no-object": 7,
  "a-picture": { said: "picture" }
}

const held: Array<Uint8Array> = []

await serveParent(Number(process.argv.at(-1)), async ({ bytes, message }, reply) => {
  const url = typeof message === "object" && message !== null && "url" in message ? String(message.url) : ""
  if (url === "") {
    // A picture request: replies with the same bytes, or with too many.
    return reply({ said: "picture" }, bytes[0] === 1 ? new Uint8Array(1_100 * 1024) : bytes)
  }
  const [, what = ""] = new URL(url).pathname.split("/")
  if (what in invalid) return reply(invalid[what])
  if (what === "exit-first") process.exit(1)
  await reply(stated)
  switch (what) {
    case "exit":
      return process.exit(1)
    case "hang":
      return Bun.sleep(60_000)
    case "swell":
      for (;;) {
        held.push(new Uint8Array(8 * 1024 * 1024).fill(1))
        await Bun.sleep(1)
      }
    case "unsafe-article":
      return reply({ said: "content", content: { ...content, article: '<p onclick="alert(1)">words</p>' } })
    case "text-lies":
      return reply(invalid["long-text"])
    default:
      return reply({ said: "content", content })
  }
})
