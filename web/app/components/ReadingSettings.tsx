import type { Signal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { count, sizeText } from "../../../src/shared/Format.ts"
import { forgetOffline, offlineArticles, refreshOffline } from "../reader/offline.ts"
import { markRead, offline } from "../state/preferences.ts"

interface SwitchProps {
  readonly setting: Signal<"on" | "off">
  readonly name: string
  readonly children: ComponentChildren
}

const Switch = ({ children, name, setting }: SwitchProps) => (
  <label class="shortcuts-switch">
    <input
      type="checkbox"
      checked={setting.value === "on"}
      onChange={({ currentTarget }) => {
        setting.value = currentTarget.checked ? "on" : "off"
      }}
    />
    <span>
      {name}
      <span class="hint">{children}</span>
    </span>
  </label>
)

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
          <button type="button" class="link-button" onClick={() => void forgetOffline()}>
            Remove them
          </button>
        </p>
      )}
    </>
  )
}
