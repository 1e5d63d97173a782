import { parseJson, textAt, valueAt } from "../UntrustedJson.ts"
import { postPage } from "./Post.ts"
import { jsonRequest, type SiteRule } from "./SiteRule.ts"

/** A handle or a DID, and the post's record key (https://atproto.com/specs/record-key). */
const path = /^\/profile\/(did:[a-z]+:[\w.:%-]{1,200}|[\w.-]{1,253})\/post\/([\w.~:-]{1,512})\/?$/

/**
 * Posts on Bluesky (https://docs.bsky.app/docs/api/app-bsky-feed-get-post-thread, without parents and replies). Unlike
 * `getPosts`, this request accepts a handle as author.
 */
export const bluesky: SiteRule = {
  name: "bluesky",
  request: (url) => {
    const [, author, key] = (url.hostname === "bsky.app" && path.exec(url.pathname)) || []
    if (author === undefined || key === undefined) return undefined
    const address = new URL(
      "https://public.api.bsky.app/xrpc/app.bsky.feed.getPostThread?depth=0&parentHeight=0"
    )
    address.searchParams.set("uri", `at://${author}/app.bsky.feed.post/${key}`)
    return jsonRequest(address)
  },
  read: (answer) => {
    const post = valueAt(parseJson(answer), "thread", "post")
    const author = textAt(post, "author", "displayName") ?? textAt(post, "author", "handle")
    if (author === undefined) return undefined
    return postPage({
      author,
      siteName: "Bluesky",
      text: textAt(post, "record", "text"),
      publishedAt: textAt(post, "record", "createdAt") ?? textAt(post, "indexedAt"),
      language: textAt(post, "record", "langs", 0),
      image:
        textAt(post, "embed", "images", 0, "fullsize") ??
        textAt(post, "embed", "thumbnail") ??
        textAt(post, "embed", "external", "thumb")
    })
  }
}
