declare global {
  /** The part of Trusted Types (W3C) that the app uses; the DOM library does not declare it. */
  interface TrustedScriptURL {
    toJSON(): string
  }
  interface TrustedTypePolicyFactory {
    createPolicy(
      name: string,
      rules: { createScriptURL: (url: string) => string }
    ): { createScriptURL(url: string): TrustedScriptURL }
  }
  interface Window {
    readonly trustedTypes?: TrustedTypePolicyFactory
  }
  interface ServiceWorkerContainer {
    register(script: TrustedScriptURL, options?: RegistrationOptions): Promise<ServiceWorkerRegistration>
  }
}

const SCRIPT = "/dashboard/service-worker.js"

/** The only script URL that Trusted Types allow (`require-trusted-types-for 'script'`). */
const script = () =>
  window.trustedTypes
    ?.createPolicy("linkbower", {
      createScriptURL: (url) => {
        if (url !== SCRIPT) throw new TypeError(`${url} is not a script of this app`)
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
 * Registers the service worker once the page has loaded; call it once. Does nothing if service workers are unavailable (an
 * old browser, a private window, no TLS on another machine) or outside the dashboard.
 */
export const registerWorker = (): void => {
  const isDashboard = /^\/dashboard(\/|$)/.test(location.pathname)
  if (!isDashboard || !isSecureContext || !("serviceWorker" in navigator)) return
  // The app works without it, so a browser's refusal is ignored.
  const start = () => void register().catch(() => undefined)
  if (document.readyState === "complete") start()
  else addEventListener("load", start, { once: true })
}
