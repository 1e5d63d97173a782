/** What the app uses of Trusted Types (W3C), which the DOM library does not describe. */

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
