import { api } from "../api.ts"
import { removeArticles } from "../reader/articleCache.ts"
import { emptyPage, tellOtherTabs } from "./followSignOut.ts"
import { tell, tellFailure } from "./toasts.ts"

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

/** Removes the service worker and its files, the kept articles among them. */
const forgetFiles = async () => {
  await removeArticles()
  if ("caches" in window)
    for (const name of await caches.keys()) if (name.startsWith("linkbower-")) await caches.delete(name)
  for (const worker of (await navigator.serviceWorker?.getRegistrations()) ?? []) await worker.unregister()
}

/** Empties the page, removes what this browser has kept, and leaves the page. */
export const leave = async (): Promise<void> => {
  emptyPage()
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
      await removeArticles()
      return void tell(
        "You are signed in through the gateway or the proxy in front. Sign out there. Articles kept in this browser were removed."
      )
    }
    await api.signOut()
  } catch (error) {
    return tellFailure("Not signed out.", error)
  }
  tellOtherTabs()
  await leave()
}
