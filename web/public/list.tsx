import { signal } from "@preact/signals"
import { hydrate } from "preact"
import { ThemeButton } from "../app/components/Appearance.tsx"
import { readPublicStart } from "../app/start.ts"
import { startTheme } from "../app/state/preferences.ts"
import { PublicList } from "./PublicList.tsx"
import { openPublicList } from "./state.ts"

const root = document.getElementById("app")
const start = readPublicStart()
if (root !== null && start !== null) {
  startTheme()
  const { content, failed, loadMore, search } = openPublicList(start)
  const isLive = signal(false)
  const App = () => (
    <PublicList
      {...content.value}
      {...(isLive.value
        ? { controls: { search, loadMore, failed: failed.value, tool: <ThemeButton /> } }
        : {})}
    />
  )
  // The first rendering must equal the service's, whose elements are kept.
  hydrate(<App />, root)
  isLive.value = true
}
