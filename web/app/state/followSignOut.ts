import { withParts } from "./lazy.ts"

/** What tabs of this browser tell each other when the owner has signed out in one of them. */
const SIGNED_OUT = "signed-out"

/** The channel on which they do; it does not hear its own messages. */
let channel: BroadcastChannel | undefined

/** Empties the page, so that the back button shows nothing private. */
export const emptyPage = (): void => {
  document.title = "Linkbower"
  document.body.replaceChildren()
}

export const tellOtherTabs = (): void => channel?.postMessage(SIGNED_OUT)

/** Leaves this page when the owner signs out in another tab, or when the back button brings it back afterwards. */
export const followSignOut = (): void => {
  channel = new BroadcastChannel("linkbower.session")
  channel.addEventListener("message", ({ data }) => {
    if (data !== SIGNED_OUT) return
    emptyPage()
    void withParts(({ session }) => session.leave())
  })
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted && document.body.childElementCount === 0) location.reload()
  })
}
