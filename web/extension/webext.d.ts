/** The part of the WebExtensions API that the extension uses; TypeScript's DOM library does not declare it. */

interface ExtensionEvent<Listener> {
  addListener(listener: Listener): void
}

interface ExtensionTab {
  readonly id?: number
  readonly index: number
  readonly windowId: number
  readonly active: boolean
  /** Whether it is one of the selected tabs. */
  readonly highlighted: boolean
  /** Known only if the extension may access the page. */
  readonly url?: string
  readonly title?: string
}

interface ExtensionPort {
  readonly name: string
  readonly onDisconnect: ExtensionEvent<() => void>
  disconnect(): void
}

interface ExtensionPermissions {
  readonly permissions?: ReadonlyArray<string>
  readonly origins?: ReadonlyArray<string>
}

interface ExtensionMenuClick {
  readonly menuItemId: string | number
  readonly linkUrl?: string
  readonly srcUrl?: string
  readonly selectionText?: string
}

interface ExtensionApi {
  readonly action: {
    readonly onClicked: ExtensionEvent<(tab: ExtensionTab) => void>
    getBadgeText(details: Readonly<Record<string, never>>): Promise<string>
    getTitle(details: Readonly<Record<string, never>>): Promise<string>
    setBadgeBackgroundColor(details: { readonly color: string }): Promise<void>
    setBadgeText(details: { readonly text: string }): Promise<void>
    setBadgeTextColor(details: { readonly color: string }): Promise<void>
    setPopup(details: { readonly popup: string }): Promise<void>
    setTitle(details: { readonly title: string }): Promise<void>
  }
  readonly alarms: {
    readonly onAlarm: ExtensionEvent<(alarm: { readonly name: string }) => void>
    clear(name: string): Promise<boolean>
    /** `when` is in milliseconds since 1970. */
    create(name: string, details: { readonly when: number }): Promise<void>
  }
  readonly commands: {
    readonly onCommand: ExtensionEvent<(command: string, tab?: ExtensionTab) => void>
  }
  readonly contextMenus: {
    /** The menu contexts that this browser supports; absent in some browsers. */
    readonly ContextType?: Readonly<Record<string, string>>
    readonly onClicked: ExtensionEvent<(click: ExtensionMenuClick, tab?: ExtensionTab) => void>
    create(item: {
      readonly id: string
      readonly title: string
      readonly contexts: ReadonlyArray<string>
    }): unknown
    removeAll(): Promise<void>
    update(id: string, change: Readonly<Record<string, never>>): Promise<void>
  }
  readonly i18n: {
    getMessage(name: string, substitutions?: ReadonlyArray<string>): string
  }
  readonly permissions: {
    contains(permissions: ExtensionPermissions): Promise<boolean>
    remove(permissions: ExtensionPermissions): Promise<boolean>
    /** Must be called in a click handler before any await. */
    request(permissions: ExtensionPermissions): Promise<boolean>
  }
  readonly runtime: {
    readonly onConnect: ExtensionEvent<(port: ExtensionPort) => void>
    readonly onInstalled: ExtensionEvent<(details: { readonly reason: string }) => void>
    readonly onMessage: ExtensionEvent<(message: unknown) => void>
    readonly onStartup: ExtensionEvent<() => void>
    connect(details: { readonly name: string }): ExtensionPort
    openOptionsPage(): Promise<void>
    sendMessage(message: unknown): Promise<unknown>
  }
  readonly scripting: {
    executeScript<A>(details: {
      readonly target: { readonly tabId: number }
      readonly func: () => A
    }): Promise<ReadonlyArray<{ readonly result?: A }>>
  }
  readonly storage: {
    readonly local: {
      /** Returns everything if the key is null. */
      get(keys: string | null): Promise<Record<string, unknown>>
      remove(key: string): Promise<void>
      set(items: Readonly<Record<string, unknown>>): Promise<void>
    }
    readonly onChanged: ExtensionEvent<
      (
        changes: Readonly<Record<string, { readonly oldValue?: unknown; readonly newValue?: unknown }>>,
        area: string
      ) => void
    >
  }
  readonly tabs: {
    readonly onActivated: ExtensionEvent<() => void>
    readonly onUpdated: ExtensionEvent<(id: number, change: { readonly status?: string }) => void>
    create(details: { readonly url: string }): Promise<unknown>
    query(filter: {
      readonly active?: boolean
      readonly currentWindow?: boolean
      readonly lastFocusedWindow?: boolean
      readonly windowId?: number
    }): Promise<ReadonlyArray<ExtensionTab>>
  }
}

declare const chrome: ExtensionApi
/** Firefox's name for the API; its `chrome` does not return promises everywhere. */
declare const browser: ExtensionApi | undefined
