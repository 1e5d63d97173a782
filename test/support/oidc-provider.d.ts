/** The parts of `oidc-provider`, which has no types of its own, that the tests use. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http"

  interface Grant {
    addOIDCScope(scope: string): void
    save(): Promise<string>
  }

  interface Context {
    readonly oidc: {
      readonly client?: { readonly clientId: string }
      readonly session?: { readonly accountId?: string }
      readonly provider: {
        readonly Grant: new (of: { readonly clientId?: string; readonly accountId?: string }) => Grant
      }
    }
  }

  interface Client {
    readonly client_id: string
    readonly client_secret?: string
    readonly redirect_uris: ReadonlyArray<string>
    readonly token_endpoint_auth_method?: string
  }

  interface Configuration {
    readonly clients: ReadonlyArray<Client>
    readonly claims: Readonly<Record<string, ReadonlyArray<string>>>
    readonly cookies: { readonly keys: ReadonlyArray<string> }
    readonly pkce: { readonly required: () => boolean }
    readonly features: { readonly devInteractions: { readonly enabled: boolean } }
    readonly interactions: {
      readonly url: (context: Context, interaction: { readonly uid: string }) => string
    }
    readonly findAccount: (
      context: Context,
      sub: string
    ) => { readonly accountId: string; readonly claims: () => object }
    readonly loadExistingGrant: (context: Context) => Promise<Grant>
  }

  export class Provider {
    constructor(issuer: string, configuration: Configuration)
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { readonly mergeWithLastSubmission: boolean }
    ): Promise<void>
  }
}
