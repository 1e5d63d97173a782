import { render } from "preact"
import { PublicApp } from "./components/PublicApp.tsx"
import { readPublicStart } from "./start.ts"
import { startTheme } from "./state/preferences.ts"
import { startPublicList } from "./state/publicList.ts"

const root = document.getElementById("app")
const start = readPublicStart()
if (root !== null && start !== null) {
  startTheme()
  startPublicList(start.page)
  // What was there for readers without scripts gives way to the same, alive.
  root.replaceChildren()
  render(<PublicApp meta={start.meta} />, root)
}
