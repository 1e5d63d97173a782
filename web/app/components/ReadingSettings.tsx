import { useEffect } from "preact/hooks"
import { count, sizeText } from "../../../src/shared/Format.ts"
import { forgetOffline, offlineArticles, refreshOffline } from "../reader/offline.ts"
import { markRead, offline } from "../state/preferences.ts"
import { Button } from "./Button.tsx"
import { Switch } from "./Fields.tsx"

/** What the reader does by itself in this browser, and what it keeps here. */
export const ReadingSettings = () => {
  useEffect(() => void refreshOffline(), [])
  const articles = offlineArticles.value ?? []
  const bytes = articles.reduce((sum, one) => sum + one.bytes, 0)
  return (
    <>
      <Switch name="Mark as read at the end" setting={markRead}>
        Reading a kept page to its end marks its link as read. You can undo it.
      </Switch>
      <Switch name="Keep opened pages for reading offline" setting={offline}>
        This browser keeps the last 50 pages that you opened, at most 50 MB. Signing out removes them.
      </Switch>
      {articles.length === 0 ? null : (
        <p>
          {count(articles.length, "page")}, {sizeText(bytes)}.{" "}
          <Button class="link-button" onClick={() => void forgetOffline()}>
            Remove them
          </Button>
        </p>
      )}
    </>
  )
}
