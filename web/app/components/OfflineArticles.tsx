import { useEffect } from "preact/hooks"
import { readableHost } from "../../../src/shared/HostName.ts"
import { ageOf } from "../age.ts"
import { offlineArticles, refreshOffline } from "../reader/offline.ts"
import { readerHref } from "../state/route.ts"

/** The articles that this browser keeps, shown in place of the list while the service cannot be reached. */
export const OfflineArticles = () => {
  useEffect(() => void refreshOffline(), [])
  const articles = offlineArticles.value
  if (articles === null) return null
  return (
    <section class="offline-articles" aria-label="Articles to read offline">
      <h2>{articles.length === 0 ? "Nothing to read offline" : "To read offline"}</h2>
      <p class="hint">
        {articles.length === 0
          ? "Articles that you open in the reader are kept in this browser, for when the library cannot be reached."
          : "You have opened these articles in this browser. Your library appears as soon as it can be reached."}
      </p>
      <ul>
        {articles.map(({ host, id, openedAt, title }) => (
          <li key={id}>
            <a href={readerHref(id)}>
              <span dir="auto">{title}</span>
              <span class="hint">
                {readableHost(host)} · opened {ageOf(openedAt)}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
