import { document, menu, paragraphs, type Sent } from "./visits.ts"

const real = (name: string, asked: string, html: string, more: Partial<Sent> = {}): Sent => ({
  name,
  asked,
  html,
  ...more
})

const site = menu("News", "Blog", "Projects", "About", "Contact", "Archive")
const footer = `<footer>${menu("Imprint", "Privacy", "Terms", "RSS")}<p>© 2026</p></footer>`
const described = (text: string) => `<meta name="description" content="${text}">`

/** Cloudflare puts this script into ordinary pages too. */
const cloudflareScript =
  "<script>(function(){var d=document.createElement('script');d.innerHTML=\"window.__CF$cv$params={r:'8f'};var a=document.createElement('script');a.src='/cdn-cgi/challenge-platform/scripts/jsd/main.js';\"})();</script>"

const loginForm =
  '<form class="login" action="/login"><input name="user" placeholder="Username"><input type="password" name="pass"><button>Log in</button><a href="/register">Register</a></form>'

/** Pages that are what was requested, however much they look like something in front of it. */
export const realPages: ReadonlyArray<Sent> = [
  // About bot walls
  real(
    "an article about Cloudflare's challenge",
    "https://blog.example.com/2026/just-a-moment-cloudflare",
    document(
      { title: "Just a moment... what Cloudflare’s challenge does | Ann’s blog" },
      `${site}<article><h1>Just a moment... what Cloudflare’s challenge does</h1>${paragraphs("The page says “Checking your browser before accessing” and “Verify you are human” while window._cf_chl_opt is read by a script from /cdn-cgi/challenge-platform/.", 6)}</article>${footer}`
    )
  ),
  real(
    "a short note about Cloudflare's challenge",
    "https://til.example.com/cf-moment",
    document(
      { title: "Why I see “Just a moment...” everywhere" },
      "<h1>Why I see “Just a moment...” everywhere</h1><p>Cloudflare asks visitors to verify you are human. I turned off my proxy, and it was gone. That is all I know about it so far.</p>"
    )
  ),
  real(
    "a page whose whole title is Just a moment",
    "https://poems.example.org/collected/17",
    document(
      { title: "Just a Moment" },
      `<h1>Just a Moment</h1><p>${"The light stands still upon the sill, the kettle hums its low refrain. ".repeat(4)}</p>`
    )
  ),
  real(
    "a French poem called Un instant",
    "https://poemes.example.fr/recueil/3",
    document(
      { lang: "fr", title: "Un instant" },
      `<h1>Un instant</h1><p>${"La lumière s'attarde au bord de la fenêtre, et le thé refroidit. ".repeat(3)}</p>`
    )
  ),
  real(
    "a documentation page named Access denied",
    "https://docs.example.com/errors/access-denied",
    document(
      { title: "Access denied" },
      `${site}<h1>Access denied</h1><p>The server returns this error if the token has no scope for the project. Create a token with the scope <code>read</code>, or ask an administrator to add you.</p>`
    )
  ),
  real(
    "a documentation page named Access Denied under a number",
    "https://help.example.com/article/1187",
    document(
      { title: "Access Denied | Example Help" },
      `<h1>Access Denied</h1><p>You see this message if your role does not include the report. An owner of the workspace can change your role under Members.</p><p>If you are an owner yourself, sign out and in again.</p>`
    )
  ),
  real(
    "a product named Captcha",
    "https://captcha.example.com/",
    document(
      { title: "Captcha", head: described("Captcha keeps bots away from your forms without puzzles.") },
      `<h1>Captcha</h1><p>Captcha keeps bots away from your forms, without puzzles. Your visitors confirm they are human with one click. Free for 1,000 requests a month.</p><a href="/signup">Start free</a><div class="h-captcha"></div>`
    )
  ),
  real(
    "a captcha product's page on another host",
    "https://www.vendor.example/products/captcha",
    document(
      { title: "Captcha | Vendor" },
      "<h1>Captcha</h1><p>Protect sign-up forms from bots. Add the widget with two lines of HTML and check the token on your server. Works without cookies.</p>"
    )
  ),
  real(
    "an encyclopedia's article on captchas",
    "https://en.wikipedia.org/wiki/CAPTCHA",
    document(
      { title: "CAPTCHA - Wikipedia" },
      `<h1>CAPTCHA</h1>${paragraphs("A CAPTCHA asks a person to prove that they are human; the user is asked to complete the captcha by typing letters. “I am not a robot” appears beside a box.", 10)}`
    )
  ),
  real(
    "Anubis's own documentation",
    "https://anubis.example.org/docs/",
    document(
      { title: "Anubis: Web AI Firewall Utility | Anubis" },
      `${site}<h1>Anubis</h1>${paragraphs("Anubis weighs the soul of incoming HTTP requests to stop AI crawlers. It shows a page that says Making sure you're not a bot while a challenge runs.", 4)}`
    )
  ),
  real(
    "an issue about a DataDome block",
    "https://git.example.com/scraper/issues/52",
    document(
      { title: "Blocked by geo.captcha-delivery.com · Issue #52 · scraper" },
      `<h1>Blocked by geo.captcha-delivery.com #52</h1>${paragraphs("I only get “Please enable JS and disable any ad blocker” since yesterday, is there a workaround for it?", 5)}`
    )
  ),
  real(
    "a question about unusual traffic",
    "https://qa.example.com/q/7781/unusual-traffic",
    document(
      { title: "Google says “unusual traffic from your computer network” - Q&A" },
      `<h1>Google says “unusual traffic from your computer network”</h1>${paragraphs("Our systems have detected unusual traffic from your computer network, it says. How do I find the machine that sends it?", 4)}`
    )
  ),
  real(
    "a quiz called Are you human?",
    "https://quiz.example.com/are-you-human",
    document(
      { title: "Are you human?" },
      "<h1>Are you human?</h1><p>Ten questions that machines answered better than people in 2026. How many do you get right? Two minutes, no sign-up.</p><button>Start</button>"
    )
  ),
  real(
    "a band called Access Denied",
    "https://music.example.com/artist/4411",
    document(
      {
        title: "Access Denied - Music Example",
        head: described("Access Denied play melodic punk from Leeds.")
      },
      `<h1>Access Denied</h1><p>Melodic punk from Leeds. Three albums since 2014, on tour in spring.</p>${menu("Track one", "Track two", "Track three")}`
    )
  ),
  // Ordinary pages behind the same vendors
  real(
    "a short page behind Cloudflare",
    "https://tiny.example.com/hello",
    document({ title: "Hello" }, `<h1>Hello</h1><p>This is all there is.</p>${cloudflareScript}`),
    { headers: { server: "cloudflare" } }
  ),
  real(
    "a page behind Imperva with its script",
    "https://council.example.gov/bins",
    document(
      { title: "Bin collections" },
      `${site}<h1>Bin collections</h1><p>Enter your postcode to see when we collect your bins. Collections move by one day after a bank holiday.</p><script src="/_Incapsula_Resource?SWJIYLWA=719d34d31c8e3a6e6fffd425f7e032f3"></script>`
    ),
    { headers: { "x-iinfo": "1-2", "x-cdn": "Imperva" } }
  ),
  real(
    "a page behind DataDome",
    "https://flats.example.fr/offer/9",
    document(
      { lang: "fr", title: "Appartement 3 pièces, Lyon" },
      `<h1>Appartement 3 pièces, Lyon</h1><p>68 m², troisième étage, balcon, 1 150 € par mois.</p><script src="https://js.datadome.co/tags.js"></script>`
    ),
    { headers: { "x-datadome": "protected" } }
  ),
  real(
    "a page behind HUMAN",
    "https://realty.example.com/homes/3",
    document(
      { title: "4 Elm Street, Boise" },
      `<script>window._pxAppId='PX1';</script><h1>4 Elm Street</h1><p>3 beds, 2 baths, 1,450 sqft. Listed 4 days ago for $389,000.</p>`
    )
  ),
  real(
    "a page behind AWS WAF",
    "https://films.example.com/title/tt2",
    document(
      {
        title: "The Long Night (2026)",
        head: '<script src="https://1c.edge.sdk.awswaf.com/1c/challenge.js" defer></script>'
      },
      '<div id="root"></div>'
    )
  ),
  real(
    "a comment form with Turnstile",
    "https://blog.example.net/bread",
    document(
      { title: "Rye bread" },
      `<h1>Rye bread</h1><p>500 g of rye flour, 400 g of water, 10 g of salt, 100 g of starter. Mix, wait, bake.</p><form><textarea></textarea><div class="cf-turnstile" data-sitekey="0x4"></div></form><script src="https://challenges.cloudflare.com/turnstile/v0/api.js"></script>`
    )
  ),
  real(
    "a contact form with reCAPTCHA",
    "https://shop.example.de/kontakt",
    document(
      { lang: "de", title: "Kontakt" },
      `<h1>Kontakt</h1><form><input name="name"><textarea></textarea><div class="g-recaptcha"></div></form><p>Bitte bestätigen Sie, dass Sie kein Roboter sind. Wir antworten innerhalb von zwei Werktagen. Musterweg 1, 12345 Musterstadt.</p>${footer}`
    )
  ),
  real(
    "a page without a title behind Cloudflare",
    "https://files.example.com/readme",
    document(
      {},
      `<pre>Files of the project. Last change in November 2026. Mirrors: eu, us, jp.</pre>${cloudflareScript}`
    )
  ),
  // Log-ins
  real(
    "a forum's thread with a log-in form in its header",
    "https://forum.example.com/viewtopic.php?t=12",
    document(
      { title: "Forum • View topic - Bread that does not rise" },
      `<header>${loginForm}</header><h2>Bread that does not rise</h2><p>My starter is a month old and the loaf stays flat. What do I do wrong?</p><p>Keep it warmer, 26 °C, and feed it twice a day.</p>`
    )
  ),
  real(
    "a forum's index with a log-in form",
    "https://board.example.org/",
    document(
      { title: "Board - Index page" },
      `${loginForm}${menu("General", "Help", "Recipes", "Off topic", "Archive")}<p>In total there are 12 users online. Most users ever online was 214.</p>`
    )
  ),
  real(
    "a German club's page with a log-in for members",
    "https://verein.example.de/termine",
    document(
      { lang: "de", title: "Termine – Verein" },
      `<aside><h2>Mitglieder</h2>${loginForm}</aside><h1>Termine</h1><ul><li>3. Dezember: Versammlung</li><li>17. Dezember: Feier</li></ul>`
    )
  ),
  real(
    "a documentation page about signing in",
    "https://docs.example.com/account/sign-in",
    document(
      { title: "Sign in" },
      "<h1>Sign in</h1><p>Open the app and choose <b>Sign in</b>. Enter your email address, then the code that we send you. You need to sign in again after 30 days.</p>"
    )
  ),
  real(
    "a help page about logging in, under a number",
    "https://help.example.com/articles/360012",
    document(
      { title: "Log in | Help" },
      "<h1>Log in</h1><p>To log in, click the button at the top right and enter the address that you registered with. If you use single sign-on, choose your organization instead. Codes are valid for ten minutes; ask for a new one if yours has expired.</p>"
    )
  ),
  real(
    "the log-in page that was requested",
    "https://git.example.com/login",
    document(
      { title: "Sign in to Git" },
      '<h1>Sign in to Git</h1><form><input name="login"><input type="password" name="password"></form>'
    )
  ),
  real(
    "the requested log-in page of WordPress",
    "https://blog.example.de/wp-login.php",
    document(
      { lang: "de", title: "Anmelden" },
      '<form><input name="log"><input type="password" name="pwd"></form>'
    )
  ),
  real(
    "a service's front page with its log-in",
    "https://www.social.example/",
    document(
      { title: "Social – log in or sign up", head: described("Connect with friends.") },
      '<h2>Connect with friends and the world around you on Social.</h2><form><input name="email"><input type="password" name="pass"><button>Log in</button></form>'
    )
  ),
  real(
    "a library that is named Login",
    "https://npm.example.com/package/react-login",
    document(
      { title: "react-login - npm" },
      `<h1>react-login</h1>${paragraphs("A component with a form to log in. Pass onSubmit, and it calls you with the user name and the password.", 3)}`
    )
  ),
  real(
    "an article that moved to a path with login in its name",
    "https://blog.example.com/?p=77",
    document(
      { title: "Passwordless login in a weekend" },
      `<article><h1>Passwordless login in a weekend</h1>${paragraphs("We send a link by mail, and the link signs the reader in for a month.", 5)}</article>`
    ),
    { url: "https://blog.example.com/passwordless-login-in-a-weekend?from=feed" }
  ),
  real(
    "a paid article with its opening and a log-in",
    "https://paper.example.com/2026/rail-strike",
    document(
      {
        title: "Rail strike enters third week - Paper",
        head: described("Unions and the ministry talk again on Monday.")
      },
      `<article><h1>Rail strike enters third week</h1>${paragraphs("Unions and the ministry will talk again on Monday, while half of the regional trains stay in their depots.", 2)}</article><aside><h2>Log in to continue</h2>${loginForm}</aside>`
    )
  ),
  // Consent
  real(
    "a page with a banner for cookies",
    "https://magazine.example.com/garden",
    document(
      { title: "Ten plants for a dark garden" },
      `<div class="banner"><h2>We value your privacy</h2><p>By clicking Accept all you agree to the storing of cookies.</p><button>Reject all</button><button>Accept all</button></div><article><h1>Ten plants for a dark garden</h1>${paragraphs("Ferns, hostas and hellebores grow where the sun hardly comes.", 5)}</article>`
    )
  ),
  real(
    "a privacy policy",
    "https://www.example.com/privacy",
    document(
      { title: "Privacy settings" },
      "<h1>Privacy settings</h1><p>We use cookies and data to keep you signed in. We do not sell them. You can delete your account at any time, and all of its data with it.</p>"
    )
  ),
  real(
    "a guide to cookie consent",
    "https://law.example.eu/guides/cookie-consent",
    document(
      { title: "Cookie consent" },
      `<h1>Cookie consent</h1>${paragraphs("Consent must be freely given. “Reject all” must be as easy as “Accept all”, the court held.", 3)}`
    )
  ),
  real(
    "a video about what comes before you continue",
    "https://tube.example.com/watch?v=1",
    document(
      {
        title: "Before You Continue - a short film",
        head: `${described("A short film of eleven minutes.")}<meta property="og:title" content="A short film">`
      },
      "<h1>Before You Continue</h1><p>A short film of eleven minutes, shot in one take.</p>"
    )
  ),
  // Not found
  real(
    "a reference page for the status 404",
    "https://developer.example.org/docs/Web/HTTP/Status/404",
    document(
      {
        title: "404 Not Found - HTTP | Reference",
        head: described(
          "The HTTP 404 Not Found client error says that the server cannot find the requested resource."
        )
      },
      `<h1>404 Not Found</h1><p>The HTTP <code>404 Not Found</code> client error response status code indicates that the server cannot find the requested resource. Links that lead to a 404 page are often called broken.</p>`
    )
  ),
  real(
    "an article about pages for 404",
    "https://design.example.com/best-404-pages",
    document(
      { title: "The best 404 pages of 2026" },
      `<h1>The best 404 pages of 2026</h1>${paragraphs("“The page you are looking for does not exist” is what most say. These twelve say it better.", 5)}`
    )
  ),
  real(
    "a song called Not Found",
    "https://songs.example.com/track/88",
    document(
      {
        title: "Not Found",
        head: `${described("A song by The Lost.")}<meta property="og:title" content="Not Found by The Lost">`
      },
      "<h1>Not Found</h1><p>The Lost, 3:41, from the album Wherever. Released in May 2026.</p>"
    )
  ),
  real(
    "a question about an error",
    "https://qa.example.com/q/99/nginx-404-page-not-found-after-deploy",
    document(
      { title: "nginx: 404 page not found after deploy - Q&A" },
      "<h1>nginx: 404 page not found after deploy</h1><p>After I deploy, the server says that the page could not be found. The files are there. What is wrong with my root?</p>"
    )
  ),
  real(
    "a product that is not sold any more",
    "https://shop.example.com/lamp-12",
    document(
      { title: "Desk lamp 12 | Shop" },
      `${site}<h1>Desk lamp 12</h1><p>This product is no longer available. Successor: desk lamp 14, with a warmer light and a longer cable.</p>`
    )
  ),
  real(
    "a small German page with a number for a name",
    "https://hotel.example.de/zimmer/404",
    document(
      { lang: "de", title: "Zimmer 404" },
      "<h1>Zimmer 404</h1><p>Doppelzimmer im vierten Stock, 24 m², mit Blick auf den Fluss. Ab 98 € mit Frühstück.</p>"
    )
  ),
  // Parked
  real(
    "a car for sale",
    "https://cars.example.com/ad/5",
    document(
      { title: "Volvo V70 is for sale" },
      "<h1>Volvo V70 for sale</h1><p>2004, 214,000 km, one owner, new brakes. 2,900 €. Call in the evening.</p>"
    )
  ),
  real(
    "a market's own page for a domain",
    "https://www.hugedomains.com/domain_profile.cfm?d=old-tool",
    document(
      { title: "Old-Tool is for sale | HugeDomains" },
      "<h1>Old-Tool</h1><p>This domain is for sale: $3,295. Buy this domain or make an offer.</p>"
    )
  ),
  real(
    "an article about parked domains",
    "https://blog.example.com/parked-domains",
    document(
      { title: "What happens to parked domains" },
      `<h1>What happens to parked domains</h1>${paragraphs("“This domain is for sale”, says sedoparking.com on a million of them. Buy this domain, it says, for a price.", 4)}`
    )
  ),
  real(
    "a product that is coming soon",
    "https://gadget.example.com/",
    document(
      { title: "Gadget – coming soon", head: described("A pocket recorder for field recordings.") },
      "<h1>Gadget</h1><p>A pocket recorder for field recordings. Coming soon: leave your address, and we tell you when it ships.</p>"
    )
  ),
  real(
    "a guide to nginx's first page",
    "https://wiki.example.org/nginx/first-steps",
    document(
      { title: "Install nginx on Debian" },
      "<h1>Install nginx on Debian</h1><p>Open the address of the server. If you see “Welcome to nginx!”, it is successfully installed and working. Further configuration is required for your own pages.</p>"
    )
  ),
  // Shells
  real(
    "an application that states its title and description",
    "https://draw.example.com/",
    document(
      {
        title: "Draw | Hand-drawn look & feel",
        head: `${described("A whiteboard for sketches.")}<script type="module" src="/a.js"></script>`
      },
      '<div id="root"></div><noscript>You need to enable JavaScript to run this app.</noscript>'
    )
  ),
  real(
    "an application that states its title only",
    "https://maps.example.com/place/17",
    document({ title: "Old bridge, Mostar" }, '<div id="app"></div><script src="/a.js"></script>')
  ),
  real(
    "the front page of an application under its own name",
    "https://notes.example.com/",
    document({ title: "Notes" }, '<div id="root"></div><script src="/a.js"></script>')
  ),
  real(
    "an application with Open Graph alone",
    "https://photos.example.com/album/9",
    document(
      {
        head: '<meta property="og:title" content="A week in Norway"><meta property="og:description" content="24 photos">'
      },
      '<div id="root"></div><script src="/a.js"></script>'
    )
  ),
  real(
    "a tutorial on the first React app",
    "https://learn.example.com/react/first",
    document(
      { title: "React App from scratch" },
      `<h1>React App from scratch</h1>${paragraphs("The template says “You need to enable JavaScript to run this app.” Replace the title React App in index.html first.", 3)}`
    )
  ),
  real(
    "a page rendered on the server into a root",
    "https://store.example.com/p/9",
    document(
      { title: "Wool socks" },
      '<div id="__next"><h1>Wool socks</h1><p>Merino, made in Portugal, sizes 36 to 46.</p><span>14 €</span></div><script id="__NEXT_DATA__" type="application/json">{"props":{}}</script>'
    )
  ),
  // Short and odd pages
  real("a page with a word", "https://tiny.example.com/yes", "<title>yes</title><p>yes</p>"),
  real(
    "a page without a title",
    "https://old.example.com/~ann/list",
    "<body><p>Milk, bread, apples</p></body>"
  ),
  real("an empty page", "https://example.com/empty", ""),
  real(
    "a plain frame set",
    "https://old.example.com/",
    '<html><head><title>Ann’s home page</title></head><frameset cols="20%,80%"><frame src="menu.html"><frame src="main.html"></frameset></html>'
  ),
  real(
    "a page on loading docks",
    "https://build.example.com/docks",
    document(
      { title: "Loading docks" },
      "<h1>Loading docks</h1><p>Heights, levellers and seals for trucks.</p>"
    )
  ),
  real(
    "a short Chinese page",
    "https://blog.example.cn/note/12",
    document(
      { lang: "zh", title: "关于登录的一点笔记" },
      "<h1>关于登录的一点笔记</h1><p>今天把登录页面改成了验证码登录，用户先输入手机号，再输入六位验证码。</p>"
    )
  ),
  real(
    "a short Japanese page",
    "https://blog.example.jp/d/5",
    document(
      { lang: "ja", title: "エラーページの作り方" },
      "<h1>エラーページの作り方</h1><p>「お探しのページは見つかりません」とだけ書くより、検索欄を置きましょう。</p>"
    )
  ),
  real(
    "a short Russian page",
    "https://blog.example.ru/zametka",
    document(
      { lang: "ru", title: "Вход в горы" },
      "<h1>Вход в горы</h1><p>Подъём начинается у моста, дальше тропа идёт вдоль реки до приюта.</p>"
    )
  ),
  real(
    "a short Arabic page",
    "https://blog.example.com/ar/1",
    document(
      { lang: "ar", title: "لحظة" },
      `<h1>لحظة</h1><p>${"قصيدة قصيرة عن الصباح والقهوة والنافذة المفتوحة على البحر. ".repeat(3)}</p>`
    )
  ),
  real(
    "a Spanish page about access",
    "https://museo.example.es/visita",
    document(
      { lang: "es", title: "Acceder al museo" },
      "<h1>Acceder al museo</h1><p>La entrada está en la calle Mayor. Abierto de martes a domingo, de 10 a 19 h.</p>"
    )
  ),
  real(
    "a page of a theatre that waits",
    "https://theatre.example.com/plays/8",
    document(
      { title: "Please Wait" },
      "<h1>Please Wait</h1><p>A comedy in two acts by Lena Frost. Six people in a waiting room, one number on the screen. From 12 January.</p>"
    )
  ),
  real(
    "a board game called Captcha",
    "https://games.example.com/p/1",
    document(
      { title: "Captcha - board game" },
      "<h1>Captcha</h1><p>Prove you're not a robot in this party game for three to six players. 24 €.</p>"
    )
  ),
  real(
    "a short page under its site's name",
    "https://acme.example/anvils",
    document(
      { title: "Acme" },
      '<div id="root"><h1>Anvils</h1><p>Five sizes.</p></div><script src="/a.js"></script>'
    )
  ),
  real(
    "a short page under its site's name, with a log-in in its header",
    "https://acme.example/anvils",
    document(
      { title: "Acme" },
      `<header>${loginForm}</header><h1>Anvils</h1><p>Five sizes, cast iron. From 40 €.</p>`
    )
  ),
  real(
    "notes in a document that its author never named",
    "https://home.example.net/notes.html",
    document({ title: "Document" }, "<h1>Shopping</h1><p>Buy milk.</p>")
  ),
  real(
    "a find in an attic",
    "https://paper.example.com/codex",
    document({ title: "Lost page found in an attic" }, "<p>The missing page of the codex turned up.</p>")
  )
]
