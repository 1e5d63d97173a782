const SCRIPT = "/dashboard/service-worker.js"

/** The only script URL that Trusted Types allow (`require-trusted-types-for 'script'`). */
const script = () =>
  window.trustedTypes
    ?.createPolicy("linkbower", {
      createScriptURL: (url) => {
        if (url !== SCRIPT) throw new TypeError(`${url} is no script of this app`)
        return url
      }
    })
    .createScriptURL(SCRIPT)

const register = async () => {
  const trusted = script()
  const options = { scope: "/dashboard" }
  await (trusted === undefined
    ? navigator.serviceWorker.register(SCRIPT, options)
    : navigator.serviceWorker.register(trusted, options))
}

/**
 * Registers the service worker once the page has loaded; call it once. Does nothing where there is none to be had: in an
 * old browser, a private window, without TLS on another machine, or outside the dashboard.
 */
export const registerWorker = (): void => {
  const inside = /^\/dashboard(\/|$)/.test(location.pathname)
  if (!inside || !isSecureContext || !("serviceWorker" in navigator)) return
  // The app works without it, so a browser's refusal is ignored.
  const start = () => void register().catch(() => undefined)
  if (document.readyState === "complete") start()
  else addEventListener("load", start, { once: true })
}
