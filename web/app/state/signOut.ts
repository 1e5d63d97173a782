import { api } from "../api.ts"
import { ARTICLES } from "../reader/articleCache.ts"
import { tell, tellFailure } from "./toasts.ts"

/** What tabs of this browser tell each other when the owner has signed out in one of them. */
const SIGNED_OUT = "signed-out"

/** The channel on which they do; it does not hear its own messages. */
let channel: BroadcastChannel | undefined

/** What stays in the browser, because it says nothing about the library. */
const kept: ReadonlySet<string> = new Set(["linkbower.theme", "linkbower.offline"])

/** Removes stored texts. A browser that blocks storage has kept none. */
const forgetTexts = () => {
  try {
    for (const storage of [localStorage, sessionStorage])
      for (const key of Object.keys(storage))
        if (key.startsWith("linkbower.") && !kept.has(key)) storage.removeItem(key)
  } catch {
    // Storage is blocked.
  }
}

/** Removes the articles that are kept for reading offline. */
const forgetArticles = async () => {
  if ("caches" in window) await caches.delete(ARTICLES)
}

/** Removes the service worker and its files, the kept articles among them. */
const forgetFiles = async () => {
  if ("caches" in window)
    for (const name of await caches.keys()) if (name.startsWith("linkbower-")) await caches.delete(name)
  for (const worker of (await navigator.serviceWorker?.getRegistrations()) ?? []) await worker.unregister()
}

/** Empties the page, so that the back button shows nothing private, and leaves it. */
const leave = async () => {
  document.title = "Linkbower"
  document.body.replaceChildren()
  forgetTexts()
  // The list stores its position when the page is left.
  window.addEventListener("pagehide", forgetTexts)
  await forgetFiles().catch(() => undefined)
  location.replace("/signin")
}

/** Signs out, here and in the other tabs, and removes what this browser has kept. */
export const signOut = async (): Promise<void> => {
  try {
    const sessions = await api.sessions()
    if (!sessions.some(({ current }) => current)) {
      await forgetArticles()
      return void tell(
        "You are signed in through the gateway or the proxy in front. Sign out there. Articles kept in this browser were removed."
      )
    }
    await api.signOut()
  } catch (error) {
    return tellFailure("Not signed out.", error)
  }
  channel?.postMessage(SIGNED_OUT)
  await leave()
}

/** Leaves this page when the owner signs out in another tab, or when the back button brings it back afterwards. */
export const followSignOut = (): void => {
  channel = new BroadcastChannel("linkbower.session")
  channel.addEventListener("message", ({ data }) => {
    if (data === SIGNED_OUT) void leave()
  })
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted && document.body.childElementCount === 0) location.reload()
  })
}
