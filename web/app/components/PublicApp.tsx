import { count } from "../../../src/shared/Format.ts"
import type { PublicMeta } from "../api.ts"
import {
  asked,
  collectionHref,
  failed,
  hasMore,
  listHref,
  loadMore,
  shown,
  total
} from "../state/publicList.ts"
import { ThemeButton } from "./Appearance.tsx"
import { Icon } from "./Icon.tsx"
import { PublicGroups } from "./PublicGroups.tsx"
import { PublicNavigation } from "./PublicNavigation.tsx"
import { PublicSearch } from "./PublicSearch.tsx"

/** How many tags are led to. */
const TAGS = 40

const Nothing = () => (
  <div class="notice">
    {asked.value.size === 0 ? (
      <h2>Nothing shared yet.</h2>
    ) : (
      <>
        <h2>Nothing found for “{[...asked.value.values()].join(", ")}”</h2>
        <p>
          <a class="button" href="/list">
            Show all shared links
          </a>
        </p>
      </>
    )}
  </div>
)

const Header = ({ meta }: { readonly meta: PublicMeta }) => (
  <header class="public-header">
    <div>
      <h1>Shared links</h1>
      <p class="hint">Links from one person’s library that are worth passing on.</p>
      <p class="hint" role="status">
        {count(total.value, "link")}
      </p>
    </div>
    <div class="header-tools">
      <a class="icon-button" href={`/list/feed.xml?${asked.value}`} title="Feed">
        <Icon name="feed" />
        <span class="visually-hidden">Feed</span>
      </a>
      <ThemeButton />
    </div>
    <PublicSearch />
    <PublicNavigation
      label="Collections"
      whole={[{ name: "All", href: "/list", count: meta.total }]}
      parts={meta.collections.map(({ count, name }) => ({ name, count, href: collectionHref(name) }))}
    />
  </header>
)

const Footer = ({ meta }: { readonly meta: PublicMeta }) => (
  <footer class="public-footer">
    <PublicNavigation
      label="Categories"
      parts={meta.categories.map((one) => ({ ...one, href: listHref({ category: one.name }) }))}
    />
    <PublicNavigation
      label="Tags"
      parts={meta.tags
        .slice(0, TAGS)
        .map(({ count, name }) => ({ count, name: `#${name}`, href: listHref({ tag: name }) }))}
    />
  </footer>
)

/** The public list: what anybody may see, and nothing that changes it. */
export const PublicApp = ({ meta }: { readonly meta: PublicMeta }) => (
  <div class="public">
    <Header meta={meta} />
    <main>
      {shown.value.length === 0 ? <Nothing /> : <PublicGroups />}
      {failed.value ? (
        <p class="problem" role="alert">
          The links could not be loaded.
        </p>
      ) : null}
      {hasMore.value ? (
        <p class="public-more">
          <button type="button" class="button" onClick={loadMore}>
            More
          </button>
        </p>
      ) : null}
    </main>
    <Footer meta={meta} />
  </div>
)
