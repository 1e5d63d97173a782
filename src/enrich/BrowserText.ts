import { type BrowserText, clearlyLonger } from "../domain/BrowserPage.ts"
import type { FromBrowser, Source, SourceFailure } from "../domain/Enrichment.ts"
import { blankPage, type Page } from "../domain/Link.ts"
import { isSiteName, withoutSite } from "./page/fields/SiteNames.ts"

interface Fetched {
  readonly page: Page
  readonly fellBack: ReadonlyArray<Source>
  readonly mayPass: boolean
  readonly failures: ReadonlyArray<SourceFailure>
}

interface Chosen extends Fetched {
  readonly fromBrowser?: FromBrowser
}

const siteNamesOf = ({ siteName }: Page, url: URL) => ({
  sites: siteName === null ? [] : [siteName],
  host: url.hostname,
  others: []
})

const ownTitle = ({ title }: BrowserText, page: Page, url: URL): string | null => {
  // Pages count unread messages at the beginning of their titles.
  const bare = (title ?? "").replace(/^\(\d+\+?\)\s+/, "")
  const named = siteNamesOf(page, url)
  const own = withoutSite(bare, named)
  return own === "" || isSiteName(own, named) ? null : own
}

/** The site's page unless unreadable or clearly shorter, as before a paywall; all other fields are the site's. */
export const withBrowserText = (url: URL, fetched: Fetched, browser: BrowserText | undefined): Chosen => {
  if (browser === undefined) return fetched
  const { page } = fetched
  const title = ownTitle(browser, page, url)
  const { article, author, description, language, text } = browser
  if (fetched.fellBack.includes("page")) {
    const outcome = fetched.mayPass ? fetched : { fellBack: [], mayPass: false, failures: [] }
    return {
      ...outcome,
      page: { ...blankPage(url.href), title, description, text, article, author, language },
      fromBrowser: "instead"
    }
  }
  const isBare = page.title === null || isSiteName(page.title, siteNamesOf(page, url))
  if (text.length < clearlyLonger(page.text.length))
    return { ...fetched, page: { ...page, title: isBare ? (title ?? page.title) : page.title } }
  return {
    ...fetched,
    page: {
      ...page,
      title: title ?? page.title,
      description: page.description || description,
      author: page.author ?? author,
      language: language ?? page.language,
      text,
      article
    },
    fromBrowser: "more"
  }
}
