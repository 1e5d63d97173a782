import { objectsAt, parseJson, textAt, valueAt } from "../UntrustedJson.ts"
import { postPage } from "./Post.ts"
import { articleAt } from "./SitePage.ts"
import { jsonRequest, type SiteRule } from "./SiteRule.ts"

/** `/@name/1`, `/@name@other.example/1` and `/users/name/statuses/1`. */
const path = /^\/(?:@[\w.-]{1,100}(?:@[\w.:-]{1,253})?|users\/[\w.-]{1,100}\/statuses)\/(\d{1,20})\/?$/

/** A display name without its server's own emoji (`:cat:`), or the user's name. */
const nameOf = (account: unknown): string | undefined => {
  const name = textAt(account, "display_name")
  const hasEmoji = objectsAt(account, 1, "emojis").length > 0
  return (hasEmoji ? name?.replace(/:\w+:/g, "") : name)?.trim() || textAt(account, "username")
}

/**
 * Posts on Mastodon and servers that speak its API (https://docs.joinmastodon.org/methods/statuses/#get): every host
 * may be one, so the shape of the path decides. Another server answers that it knows no such address.
 */
export const mastodon: SiteRule = {
  name: "mastodon",
  request: (url) => {
    const [, id] = path.exec(url.pathname) ?? []
    return id === undefined ? undefined : jsonRequest(`${url.origin}/api/v1/statuses/${id}`)
  },
  read: (answer, url) => {
    const status = parseJson(answer)
    const article = articleAt(status, url, "content")
    const account = valueAt(status, "account")
    const author = nameOf(account)
    // Every status has an id, even one of pictures alone.
    if (author === undefined || textAt(status, "id") === undefined) return undefined
    const warning = textAt(status, "spoiler_text")
    const [attachment] = objectsAt(status, 1, "media_attachments")
    const text = [warning, article?.text].filter((part) => part !== undefined).join("\n")
    return postPage({
      author,
      text,
      article,
      publishedAt: textAt(status, "created_at"),
      language: textAt(status, "language"),
      image: textAt(attachment, "preview_url")
    })
  }
}
