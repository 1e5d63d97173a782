/** The browsers that the extension is built for. */
export type Target = "chrome" | "firefox"

/** The icon's sizes in pixels. */
export const ICONS = [16, 32, 48, 128]

const icons = Object.fromEntries(ICONS.map((size) => [size, `icons/${size}.png`]))

/**
 * Allows only the extension's own scripts and styles, and requests to any host: only the user knows the service's. Its
 * own files are the configuration that a service puts into the package.
 */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self' https: http:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'"
].join("; ")

/**
 * What only one browser knows. The first versions that support `light-dark()`, `URL.parse` and optional host
 * permissions; Firefox also asks for consent to the data collection from version 142 on, on every device.
 */
const browsers = {
  chrome: {
    background: { service_worker: "background.js" },
    minimum_chrome_version: "126"
  },
  firefox: {
    background: { scripts: ["background.js"] },
    browser_specific_settings: {
      gecko: {
        id: "extension@linkbower.app",
        strict_min_version: "142.0",
        // The data goes only to the user's own service; Firefox requires declaring everything that leaves the browser.
        data_collection_permissions: {
          required: ["browsingActivity", "websiteContent"],
          optional: ["bookmarksInfo"]
        }
      }
    }
  }
}

/** The button's shortcut; Chrome reserves Alt+Shift+B for its bookmarks bar except on a Mac, and would assign none. */
const buttonKey = {
  chrome: { default: "Alt+Shift+L", mac: "Alt+Shift+B" },
  firefox: { default: "Alt+Shift+B" }
}

/** The manifest (Manifest V3) for a browser. */
export const manifest = (target: Target, version: string) => ({
  manifest_version: 3,
  name: "__MSG_name__",
  description: "__MSG_description__",
  version,
  default_locale: "en",
  icons,
  action: { default_popup: "popup.html", default_title: "__MSG_actionTitle__", default_icon: icons },
  options_ui: { page: "options.html", open_in_tab: true },
  permissions: ["activeTab", "contextMenus", "storage", "scripting", "alarms"],
  optional_permissions: ["tabs", "bookmarks"],
  optional_host_permissions: ["https://*/*", "http://*/*"],
  incognito: "not_allowed",
  content_security_policy: { extension_pages: POLICY },
  omnibox: { keyword: "lb" },
  commands: {
    _execute_action: { suggested_key: buttonKey[target] },
    "save-silent": {
      // Firefox and Edge use Ctrl+Shift+S themselves.
      suggested_key: { default: "Alt+Shift+S" },
      description: "__MSG_commandSave__"
    }
  },
  ...browsers[target]
})
