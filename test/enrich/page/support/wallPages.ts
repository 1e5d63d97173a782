import type { Wall } from "../../../../src/enrich/page/walls/Walls.ts"
import { document, menu, paragraphs, type Sent } from "./visits.ts"

/** A page that stands in front of the requested one, and what it is. */
export interface WallPage extends Sent {
  readonly wall: Wall
}

const article = "https://news.example.com/2026/11/how-we-cut-build-times"
const noIndex = '<meta name="robots" content="noindex,nofollow">'

/** Cloudflare's managed challenge in one language. */
const cloudflare = (lang: string, title: string, text: string, more: Partial<Sent> = {}): WallPage => ({
  wall: "bot-wall",
  name: `Cloudflare's challenge (${lang})`,
  asked: article,
  status: 403,
  headers: { server: "cloudflare", "cf-mitigated": "challenge" },
  html: document(
    { lang, title, head: `${noIndex}<meta http-equiv="refresh" content="390">` },
    `<div class="main-wrapper" role="main"><div class="main-content"><noscript><div class="h2"><span id="challenge-error-text">${text}</span></div></noscript></div></div>
    <script>(function(){window._cf_chl_opt={cvId:'3',cZone:"news.example.com",cType:'managed',cRay:'8f0a'};var a=document.createElement('script');a.src='/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=8f0a';document.getElementsByTagName('head')[0].appendChild(a);}());</script>`
  ),
  ...more
})

const botWalls: ReadonlyArray<WallPage> = [
  cloudflare("en", "Just a moment...", "Enable JavaScript and cookies to continue"),
  cloudflare("de", "Nur einen Moment…", "Aktivieren Sie JavaScript und Cookies, um fortzufahren", {
    headers: {}
  }),
  cloudflare("ja", "しばらくお待ちください...", "続行するには JavaScript と Cookie を有効にしてください", {
    headers: {},
    status: 200
  }),
  cloudflare("tr", "Bir dakika lütfen...", "Devam etmek için JavaScript ve çerezleri etkinleştirin", {
    headers: {},
    status: 503
  }),
  cloudflare("sw", "Subiri kidogo", "Washa JavaScript na vidakuzi ili kuendelea", { headers: {} }),
  {
    wall: "bot-wall",
    name: "Cloudflare's challenge, header alone",
    asked: article,
    status: 403,
    headers: { "cf-mitigated": "challenge", server: "cloudflare" },
    html: ""
  },
  {
    wall: "bot-wall",
    name: "Cloudflare's old challenge of five seconds",
    asked: article,
    status: 503,
    headers: { server: "cloudflare" },
    html: document(
      { title: "Just a moment...", head: noIndex },
      `<div class="cf-browser-verification cf-im-under-attack"><noscript><h1 style="color:#bd2426;">Please turn JavaScript on and reload the page.</h1></noscript>
      <h1>Checking your browser before accessing news.example.com.</h1><p>This process is automatic. Your browser will redirect to your requested content shortly.</p><p>Please allow up to 5 seconds&hellip;</p>
      <p>DDoS protection by Cloudflare<br>Ray ID: 6fd0b1e1c9f1</p></div>`
    )
  },
  {
    wall: "bot-wall",
    name: "Cloudflare's block",
    asked: article,
    status: 403,
    headers: { server: "cloudflare" },
    html: document(
      { title: "Attention Required! | Cloudflare", head: '<meta name="robots" content="noindex, nofollow">' },
      `<div id="cf-wrapper"><div id="cf-error-details" class="cf-error-details-wrapper"><h1 data-translate="block_headline">Sorry, you have been blocked</h1><h2><span>You are unable to access</span> news.example.com</h2>
      <h2>Why have I been blocked?</h2><p>This website is using a security service to protect itself from online attacks. The action you just performed triggered the security solution. There are several actions that could trigger this block including submitting a certain word or phrase, a SQL command or malformed data.</p>
      <h2>What can I do to resolve this?</h2><p>You can email the site owner to let them know you were blocked. Please include what you were doing when this page came up and the Cloudflare Ray ID found at the bottom of this page.</p><span>Performance &amp; security by Cloudflare</span></div></div>`
    )
  },
  {
    wall: "bot-wall",
    name: "a challenge of which only the title came",
    asked: article,
    html: "<title>Just a moment...</title>"
  },
  {
    wall: "bot-wall",
    name: "Anubis",
    asked: "https://git.example.org/project/src/branch/main/README.md",
    html: document(
      {
        title: "Making sure you&#39;re not a bot!",
        head: '<link rel="stylesheet" href="/.within.website/x/xess/xess.min.css"><meta name="robots" content="noindex,nofollow">'
      },
      `<main><h1 id="title" class="centered-div">Making sure you're not a bot!</h1><div class="centered-div"><img id="image" src="/.within.website/x/cmd/anubis/static/img/pensive.webp"><p id="status">Loading...</p>
      <details><summary>Why am I seeing this?</summary><p>You are seeing this because the administrator of this website has set up Anubis to protect the server against the scourge of AI companies aggressively scraping websites. This can and does cause downtime for the websites, which makes their resources inaccessible for everyone.</p><p>Anubis is a compromise. Anubis uses a Proof-of-Work scheme in the vein of Hashcash, a proposed proof-of-work scheme for reducing email spam.</p></details></div>
      <script id="anubis_challenge" type="application/json">{"rules":{"algorithm":"fast","difficulty":4}}</script></main>`
    )
  },
  {
    wall: "bot-wall",
    name: "Anubis in Estonian",
    asked: "https://git.example.ee/asi/kood",
    html: document(
      { lang: "et", title: "Veendume, et sa ei ole robot!" },
      `<h1>Veendume, et sa ei ole robot!</h1><p>Laadimine...</p><script id="anubis_challenge" type="application/json">{}</script><script src="/.within.website/x/cmd/anubis/static/js/main.mjs"></script>`
    )
  },
  {
    wall: "bot-wall",
    name: "go-away",
    asked: "https://code.example.net/project/tree/lib",
    html: document(
      {
        title: "Checking you are not a bot",
        head: '<meta http-equiv="refresh" content="2; url=/.well-known/.git.gammaspectra.live/git/go-away/cmd/go-away/challenge/js-pow/verify">'
      },
      "<h1>Checking you are not a bot</h1><p>Please wait a moment while we verify the security of your connection.</p>"
    )
  },
  {
    wall: "bot-wall",
    name: "Imperva's frame",
    asked: "https://shop.example.com/item/4711",
    headers: { "x-iinfo": "9-27 NNNN", "x-cdn": "Imperva" },
    html: '<html style="height:100%"><head><META NAME="ROBOTS" CONTENT="NOINDEX, NOFOLLOW"><meta name="format-detection" content="telephone=no"></head><body style="margin:0px;height:100%"><iframe id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31&xinfo=9-27&incident_id=880-1" frameborder=0 width="100%" height="100%">Request unsuccessful. Incapsula incident ID: 880000160204-272</iframe></body></html>'
  },
  {
    wall: "bot-wall",
    name: "Imperva's interruption",
    asked: "https://travel.example.com/hotels/lisbon",
    html: document(
      { title: "Pardon Our Interruption", head: noIndex },
      `<div class="container"><h1>Pardon Our Interruption</h1><p>As you were browsing something about your browser made us think you were a bot. There are a few reasons this might happen:</p>
      <ul><li>You've disabled cookies in your web browser.</li><li>You're a power user moving through this website with super-human speed.</li><li>A third-party browser plugin is preventing JavaScript from running.</li></ul>
      <p>To regain access, please make sure that cookies and JavaScript are enabled before reloading the page.</p></div>`
    )
  },
  {
    wall: "bot-wall",
    name: "DataDome",
    asked: "https://paper.example.com/world/europe/strike",
    status: 403,
    headers: { "x-datadome": "protected", "x-dd-b": "3" },
    html: `<html lang="en"><head><title>paper.example.com</title><style>#cmsg{animation: A 1.5s;}</style></head><body style="margin:0"><script data-cfasync="false">var dd={'rt':'c','cid':'AHrlq','hsh':'2211F5','t':'bv','host':'geo.captcha-delivery.com'}</script><script data-cfasync="false" src="https://ct.captcha-delivery.com/c.js"></script><p id="cmsg">Please enable JS and disable any ad blocker</p></body></html>`
  },
  {
    wall: "bot-wall",
    name: "DataDome, answered with 200 and in French",
    asked: "https://annonces.example.fr/velo/123",
    html: `<html><head><title>annonces.example.fr</title></head><body><script>var dd={'rt':'i','host':'geo.captcha-delivery.com'}</script><script src="https://ct.captcha-delivery.com/i.js"></script></body></html>`
  },
  {
    wall: "bot-wall",
    name: "HUMAN (PerimeterX)",
    asked: "https://realty.example.com/homes/12",
    status: 403,
    html: document(
      { title: "Access to this page has been denied", head: noIndex },
      `<div class="page-title-wrapper"><h1>Please verify you are a human</h1></div><div class="content"><div id="px-captcha"></div><p>Access to this page has been denied because we believe you are using automation tools to browse the website. This may happen as a result of the following: Javascript is disabled or blocked by an extension.</p><p>Reference ID: #b3a0</p></div><script>window._pxAppId='PXabc';</script><script src="https://captcha.px-cloud.net/PXabc/captcha.js"></script>`
    )
  },
  {
    wall: "bot-wall",
    name: "HUMAN's press and hold",
    asked: "https://stay.example.com/room/7",
    html: document(
      { title: "stay.example.com" },
      `<script>window._pxAppId='PXdef';</script><div class="px-captcha-container"><h1>Robot or human?</h1><p>Press &amp; Hold to confirm you are a human (and not a bot).</p><div id="px-captcha"></div></div>`
    )
  },
  {
    wall: "bot-wall",
    name: "AWS WAF's challenge",
    asked: "https://films.example.com/title/tt1",
    status: 202,
    headers: { "x-amzn-waf-action": "challenge" },
    html: `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title></title><script type="text/javascript">window.awsWafCookieDomainList=[];window.gokuProps={"key":"AQID","iv":"A6x","context":"l3"};</script><script src="https://1c5c.edge.sdk.awswaf.com/1c5c/be8/challenge.js"></script></head><body><div id="challenge-container"></div><script>AwsWafIntegration.saveReferrer();</script><noscript><h1>JavaScript is disabled</h1>In order to continue, we need to verify that you're not a robot. This requires JavaScript. Enable JavaScript and then reload the page.</noscript></body></html>`
  },
  {
    wall: "bot-wall",
    name: "AWS WAF's captcha without its header",
    asked: "https://jobs.example.com/offer/88",
    status: 405,
    html: document(
      { title: "Human Verification" },
      `<script>window.gokuProps={"key":"AQ"};</script><div id="captcha-container"></div><script src="https://x.edge.captcha-sdk.awswaf.com/x/jsapi.js"></script><noscript>JavaScript is disabled</noscript>`
    )
  },
  {
    wall: "bot-wall",
    name: "Vercel's checkpoint",
    asked: "https://docs.example.dev/guide/start",
    status: 429,
    headers: { server: "Vercel", "x-vercel-mitigated": "challenge" },
    html: document(
      { title: "Vercel Security Checkpoint" },
      `<div id="root"><p id="header-text">We're verifying your browser</p><p id="footer-text">Vercel Security Checkpoint | fra1::1732</p></div><script src="/.well-known/vercel/security/static/challenge.v2.min.js"></script>`
    )
  },
  {
    wall: "bot-wall",
    name: "SiteGround",
    asked: "https://blog.example.net/rye-bread",
    status: 202,
    headers: { "sg-captcha": "challenge", server: "nginx" },
    html: '<html><head><link rel="icon" href="data:;"><meta http-equiv="refresh" content="0;/.well-known/sgcaptcha/?r=%2Frye-bread&y=ipc:1.2.3.4:17"></meta></head></html>'
  },
  {
    wall: "bot-wall",
    name: "SiteGround's captcha page",
    asked: "https://blog.example.net/rye-bread",
    url: "https://blog.example.net/.well-known/captcha/?r=%2Frye-bread",
    html: document(
      { title: "Robot Challenge Screen", head: noIndex },
      `<div id="app"><h1>Checking the site connection security</h1><p>blog.example.net needs to make sure you are not a robot.</p></div><script>const sgchallenge="20:17:abc";</script>`
    )
  },
  {
    wall: "bot-wall",
    name: "Sucuri's redirect by script",
    asked: "https://club.example.org/dates",
    headers: { server: "Sucuri/Cloudproxy", "x-sucuri-id": "19009" },
    html: `<html><title>You are being redirected...</title><noscript>Javascript is required. Please enable javascript before you are allowed to see this page.</noscript><script>var s={},u,c,U,r,i,l=0,a,e=eval,w=String.fromCharCode,sucuri_cloudproxy_js='',S='cz0i';L=S.length;</script></html>`
  },
  {
    wall: "bot-wall",
    name: "Sucuri's block",
    asked: "https://club.example.org/wp-content/report",
    status: 403,
    headers: { "x-sucuri-id": "11005", "x-sucuri-block": "BLK-GEO" },
    html: document(
      { title: "Sucuri WebSite Firewall - Access Denied" },
      `<h1>Access Denied - Sucuri Website Firewall</h1><p>If you are the site owner (or you manage this site), please whitelist your IP or if you think this block is an error please open a support ticket and make sure to include the block details.</p><table><tr><td>Block ID:</td><td>GEO02</td></tr></table>`
    )
  },
  {
    wall: "bot-wall",
    name: "Akamai's refusal",
    asked: "https://wear.example.com/shirts/4",
    status: 403,
    headers: { server: "AkamaiGHost" },
    html: `<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY><H1>Access Denied</H1>You don't have permission to access "http&#58;&#47;&#47;wear&#46;example&#46;com&#47;shirts&#47;4" on this server.<P>Reference&#32;&#35;18&#46;9c341002<P>https&#58;&#47;&#47;errors&#46;edgesuite&#46;net&#47;18&#46;9c</BODY></HTML>`
  },
  {
    wall: "bot-wall",
    name: "Akamai's challenge",
    asked: "https://wear.example.com/shoes/9",
    html: document(
      {},
      `<div id="sec-if-cpt-container" style="display:none"><iframe id="sec-cpt-if" provider="crypto" src="/_sec/cp_challenge/crypto_message-4-3.htm"></iframe></div><script src="/_sec/cp_challenge/sec-cpt-4-3.js"></script>`
    )
  },
  {
    wall: "bot-wall",
    name: "DDoS-Guard",
    asked: "https://forum.example.ru/topic/5",
    status: 403,
    headers: { server: "ddos-guard" },
    html: document(
      { title: "DDoS-Guard" },
      `<div class="container"><h1 id="title">Checking your browser before accessing forum.example.ru</h1><p>This process is automatic.</p></div><script src="https://check.ddos-guard.net/check.js"></script><script src="/.well-known/ddos-guard/js-challenge/index.js"></script>`
    )
  },
  {
    wall: "bot-wall",
    name: "Google's unusual traffic",
    asked: "https://www.google.com/search?q=build+times",
    url: "https://www.google.com/sorry/index?continue=https://www.google.com/search%3Fq%3Dbuild%2Btimes&q=EgQ",
    status: 429,
    html: document(
      { title: "https://www.google.com/search?q=build+times" },
      `<form id="captcha-form" action="index" method="post"><div id="recaptcha" class="g-recaptcha" data-sitekey="6Lf"></div></form><div><b>About this page</b><br><br>Our systems have detected unusual traffic from your computer network. This page checks to see if it's really you sending the requests, and not a robot. <a href="#">Why did this happen?</a><br><br>IP address: 203.0.113.7<br>Time: 2026-11-23T06:47:45Z</div>`
    )
  },
  {
    wall: "bot-wall",
    name: "Google's unusual traffic in German, with 200",
    asked: "https://www.google.de/search?q=x",
    url: "https://www.google.de/sorry/index?continue=x",
    html: document(
      { lang: "de", title: "https://www.google.de/search?q=x" },
      `<div class="g-recaptcha"></div><b>Über diese Seite</b><br>Unsere Systeme haben ungewöhnlichen Datenverkehr aus Ihrem Computernetzwerk festgestellt. Auf dieser Seite wird überprüft, ob die Anfragen wirklich von Ihnen und nicht von einem Robot gesendet werden.`
    )
  },
  {
    wall: "bot-wall",
    name: "a shop's own captcha",
    asked: "https://www.shop.example/dp/B08N5WRWNW",
    html: document(
      { title: "shop.example", head: noIndex },
      `<h4>Enter the characters you see below</h4><p>Sorry, we just need to make sure you're not a robot. For best results, please make sure your browser is accepting cookies.</p><form method="get" action="/errors/validateCaptcha"><img src="https://images.shop.example/captcha/abc.jpg"><input type="text" id="captchacharacters" name="field-keywords"><button>Continue shopping</button></form>`
    )
  },
  {
    wall: "bot-wall",
    name: "Yandex's captcha",
    asked: "https://market.example.ru/product/1",
    url: "https://market.example.ru/showcaptcha?retpath=aHR0cHM6",
    html: document(
      { lang: "ru", title: "Ой, Капча!" },
      `<form action="/checkcaptcha" id="checkbox-captcha-form"><h1>Подтвердите, что запросы отправляли вы, а не робот</h1><p>Нам очень жаль, но запросы с вашего устройства похожи на автоматические.</p></form>`
    )
  },
  {
    wall: "bot-wall",
    name: "a Chinese safety check",
    asked: "https://baike.example.cn/item/1",
    html: document(
      { lang: "zh", title: "百度安全验证" },
      '<div class="timeout"><div>网络不给力，请稍后重试</div><button>返回首页</button></div><script src="https://wappass.baidu.com/static/captcha/mkd.js"></script>'
    )
  },
  {
    wall: "bot-wall",
    name: "a Korean check",
    asked: "https://shop.example.kr/goods/3",
    html: document(
      { lang: "ko", title: "shop.example.kr" },
      '<h1>잠시만 기다려 주세요</h1><p>로봇이 아님을 확인해 주세요.</p><div class="h-captcha"></div>'
    )
  },
  {
    wall: "bot-wall",
    name: "F5's refusal",
    asked: "https://bank.example.com/rates",
    html: "<html><head><title>Request Rejected</title></head><body>The requested URL was rejected. Please consult with your administrator.<br><br>Your support ID is: 1234567890<br><br><a href='javascript:history.back();'>[Go Back]</a></body></html>"
  },
  {
    wall: "bot-wall",
    name: "Imunify360",
    asked: "https://host.example.net/news/5",
    html: document(
      { title: "One moment, please...", head: noIndex },
      "<div class='spinner'></div><p>Please wait while your request is being verified...</p><script>setTimeout(function(){location.reload()},5000)</script>"
    )
  },
  {
    wall: "bot-wall",
    name: "a network's block",
    asked: "https://www.forum.example/r/typescript/comments/abc",
    status: 403,
    html: document(
      { title: "Blocked" },
      `<div><p>whoa there, pardner!</p><p>You've been blocked by network security.</p><p>To continue, log in to your account or use your developer token. If you think you've been blocked by mistake, file a ticket below and we'll look into it.</p></div>`
    )
  },
  {
    wall: "bot-wall",
    name: "Fastly's challenge",
    asked: "https://packages.example.org/project/requests",
    html: document(
      { title: "Client Challenge" },
      `<noscript><p>JavaScript is disabled in your browser. Please enable JavaScript to proceed.</p></noscript><div id="loading-error">A required part of this site couldn't load.</div><script src="/_fs-ch-1T1wmsGaOgGaSxcX/script.js"></script>`
    )
  },
  {
    wall: "bot-wall",
    name: "hCaptcha on an otherwise empty Spanish page",
    asked: "https://tienda.example.es/p/5",
    html: document(
      { lang: "es", title: "Verificación de seguridad" },
      '<h1>Verificación de seguridad</h1><p>Confirma que no eres un robot.</p><div class="h-captcha" data-sitekey="1"></div>'
    )
  },
  {
    wall: "bot-wall",
    name: "Wordfence",
    asked: "https://blog.example.com/post",
    status: 503,
    html: document(
      { title: "Your access to this site has been limited by the site owner" },
      "<h1>Your access to this site has been limited by the site owner</h1><p>Your access to this service has been limited. (HTTP response code 503)</p><p>Generated by Wordfence</p>"
    )
  },
  {
    wall: "bot-wall",
    name: "a newspaper's check",
    asked: "https://www.money.example/news/articles/2026/x",
    html: document(
      { title: "Money - Are you a robot?", head: noIndex },
      "<h2>We've detected unusual activity from your computer network</h2><p>To continue, please click the box below to let us know you're not a robot.</p><h3>Why did this happen?</h3><p>Please make sure your browser supports JavaScript and cookies and that you are not blocking them from loading.</p>"
    )
  }
]

const logins: ReadonlyArray<WallPage> = [
  {
    wall: "login",
    name: "Instagram's log-in",
    asked: "https://www.instagram.com/p/Cxyz123/",
    url: "https://www.instagram.com/accounts/login/?next=%2Fp%2FCxyz123%2F",
    html: document(
      {
        title: "Login • Instagram",
        head: '<meta name="description" content="Welcome back to Instagram. Sign in to check out what your friends, family &amp; interests have been capturing.">'
      },
      `<div id="mount_0_0"></div><script>requireLazy(["x"],function(){})</script>`
    )
  },
  {
    wall: "login",
    name: "Instagram's log-in without a title of its own",
    asked: "https://www.instagram.com/reel/C1/",
    url: "https://www.instagram.com/accounts/login/?next=/reel/C1/",
    html: document({ title: "Instagram" }, '<div id="splash-screen"></div><script>1</script>')
  },
  {
    wall: "login",
    name: "LinkedIn's authwall",
    asked: "https://www.linkedin.com/posts/ann_how-we-cut-build-times-activity-712",
    url: "https://www.linkedin.com/authwall?trk=gf&original_referer=&sessionRedirect=https%3A%2F%2Fwww.linkedin.com%2Fposts",
    html: document(
      { title: "Sign Up | LinkedIn" },
      `<main><h1>Join LinkedIn</h1><form action="/signup"><label>Email</label><input name="email"><label>Password (6+ characters)</label><input type="password" name="password"><p>By clicking Agree &amp; Join, you agree to the LinkedIn User Agreement, Privacy Policy, and Cookie Policy.</p><button>Agree &amp; Join</button></form><p>Already on LinkedIn? <a href="/login">Sign in</a></p></main>${menu("About", "Accessibility", "User Agreement", "Privacy Policy", "Copyright Policy", "Brand Policy")}`
    )
  },
  {
    wall: "bot-wall",
    name: "LinkedIn's status 999",
    asked: "https://www.linkedin.com/in/ann",
    status: 999,
    html: `<html><head><script type="text/javascript">window.onload = function() { var domain = "www.linkedin.com"; window.location.href = "https://" + domain + "/authwall?trk=bf" }</script></head></html>`
  },
  {
    wall: "login",
    name: "Facebook's log-in",
    asked: "https://www.facebook.com/groups/123/posts/456",
    url: "https://www.facebook.com/login/?next=https%3A%2F%2Fwww.facebook.com%2Fgroups%2F123",
    html: document(
      {
        title: "Log into Facebook",
        head: '<meta name="description" content="Log into Facebook to start sharing and connecting with your friends, family, and people you know.">'
      },
      `<div>You must log in to continue.</div><form id="login_form" action="/login/device-based/regular/login/"><input name="email"><input type="password" name="pass"><button>Log in</button></form><a>Forgot account?</a>${menu("English (US)", "Deutsch", "Türkçe", "Polski", "Italiano", "Română", "Français", "Русский", "Español", "العربية", "Português (Brasil)", "Sign Up", "Messenger", "Facebook Lite", "Video", "Meta Store", "Meta Quest", "Threads", "Privacy Policy", "About", "Create ad", "Developers", "Careers", "Cookies", "Terms", "Help")}`
    )
  },
  {
    wall: "login",
    name: "WordPress's log-in",
    asked: "https://intern.example.de/protokolle/",
    url: "https://intern.example.de/wp-login.php?redirect_to=https%3A%2F%2Fintern.example.de%2Fprotokolle%2F&reauth=1",
    html: document(
      {
        lang: "de",
        title: "Anmelden &lsaquo; Verein &#8212; WordPress",
        head: "<meta name='robots' content='max-image-preview:large, noindex, noarchive' />"
      },
      '<div id="login"><h1><a href="https://de.wordpress.org/">Powered by WordPress</a></h1><form name="loginform" id="loginform"><p><label>Benutzername oder E-Mail-Adresse</label><input type="text" name="log"></p><label>Passwort</label><input type="password" name="pwd"></form><p><a>Passwort vergessen?</a></p></div>'
    )
  },
  {
    wall: "login",
    name: "a wiki's log-in at the requested address",
    asked: "https://wiki.example.com/display/TEAM/Build+times",
    html: document(
      { title: "Log In - Confluence" },
      '<header><a>Confluence</a></header><form name="loginform"><h2>Log in</h2><label>Username</label><input name="os_username"><label>Password</label><input type="password" name="os_password"><button>Log in</button><a>Forgot your password?</a></form><p>Powered by Atlassian Confluence</p>'
    )
  },
  {
    wall: "login",
    name: "a log-in under the site's name",
    asked: "https://cloud.example.com/apps/files/1234",
    html: document(
      { title: "Example", head: '<meta property="og:site_name" content="Example">' },
      '<div id="app"><h1>Sign in</h1><form><input name="user"><input type="password" name="password"><button>Log in</button></form></div>'
    )
  },
  {
    wall: "login",
    name: "a provider's single sign-on",
    asked: "https://docs.example.com/team/roadmap",
    url: "https://accounts.idp.example/v3/signin/identifier?continue=https%3A%2F%2Fdocs.example.com&service=wise",
    html: document(
      { title: "Docs: Sign-in" },
      '<h1>Sign in</h1><p>to continue to Docs</p><form><input type="email" autocomplete="username"><input type="password" name="hiddenPassword" tabindex="-1"><button>Next</button></form>'
    )
  },
  {
    wall: "login",
    name: "a Russian log-in",
    asked: "https://forum.example.ru/viewtopic.php?t=77",
    html: document(
      { lang: "ru", title: "Форум - Вход" },
      '<h2>Вход</h2><p>Для просмотра этой темы необходимо войти в систему.</p><form><input name="username"><input type="password" name="password"></form>'
    )
  },
  {
    wall: "login",
    name: "a Chinese log-in",
    asked: "https://bbs.example.cn/thread-5.html",
    url: "https://bbs.example.cn/member.php?mod=logging",
    html: document(
      { lang: "zh", title: "登录" },
      '<div id="messagetext"><p>抱歉，您需要先登录才能继续本操作，请先登录</p></div><form><input name="username"><input type="password" name="password"></form>'
    )
  },
  {
    wall: "login",
    name: "a Japanese log-in after a redirect",
    asked: "https://sns.example.jp/note/88",
    url: "https://sns.example.jp/users/sign_in",
    html: document(
      { lang: "ja", title: "ログイン" },
      '<h1>ログイン</h1><form><input name="m"><input type="password"></form>'
    )
  },
  {
    wall: "login",
    name: "a log-in with 401",
    asked: "https://git.example.com/team/secret-project/issues/4",
    status: 401,
    html: document(
      { title: "Sign in · GitLab" },
      '<h1>GitLab</h1><form><input name="u"><input type="password" name="p"></form>'
    )
  }
]

const consents: ReadonlyArray<WallPage> = [
  {
    wall: "consent",
    name: "YouTube's consent",
    asked: "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
    url: "https://consent.youtube.com/m?continue=https%3A%2F%2Fwww.youtube.com%2Fwatch%3Fv%3DdQw4w9WgXcQ&gl=DE&hl=en",
    html: document(
      { title: "Before you continue to YouTube" },
      `<h1>Before you continue to YouTube</h1><p>We use cookies and data to</p><ul><li>Deliver and maintain Google services</li><li>Track outages and protect against spam, fraud, and abuse</li></ul><p>If you choose to Accept all, we will also use cookies and data to</p>${paragraphs("Develop and improve new services, and show personalized content, depending on your settings.", 3)}<form action="https://consent.youtube.com/save"><button>Reject all</button><button>Accept all</button></form>`
    )
  },
  {
    wall: "consent",
    name: "YouTube's consent in German",
    asked: "https://youtu.be/dQw4w9WgXcQ",
    url: "https://consent.youtube.com/m?continue=https%3A%2F%2Fwww.youtube.com%2Fwatch&gl=DE&hl=de",
    html: document(
      { lang: "de", title: "Bevor Sie zu YouTube weitergehen" },
      "<h1>Bevor Sie zu YouTube weitergehen</h1><p>Wir verwenden Cookies und Daten, um Google-Dienste anzubieten und zu betreiben.</p><button>Alle ablehnen</button><button>Alle akzeptieren</button>"
    )
  },
  {
    wall: "consent",
    name: "Yahoo's consent",
    asked: "https://finance.yahoo.com/news/chips-123.html",
    url: "https://guce.yahoo.com/consent?brandType=nonEu&gcrumb=abc&done=https%3A%2F%2Ffinance.yahoo.com",
    html: document(
      { title: "Yahoo is part of the Yahoo family of brands" },
      `<h1>Yahoo is part of the Yahoo family of brands</h1><p>The sites and apps that we own and operate, including Yahoo and AOL, and our digital advertising service, Yahoo Advertising.</p>${paragraphs("When you use our sites and apps, we use cookies to provide our sites and apps to you, authenticate users, apply security measures, and prevent spam and abuse.", 2)}<form><button>Accept all</button><button>Reject all</button></form>`
    )
  },
  {
    wall: "consent",
    name: "Yahoo's consent in French",
    asked: "https://fr.news.yahoo.com/greve-rail.html",
    url: "https://consent.yahoo.com/v2/collectConsent?sessionId=3_cc-session",
    html: document(
      { lang: "fr", title: "Yahoo fait partie de la famille de marques Yahoo" },
      "<h1>Yahoo fait partie de la famille de marques Yahoo</h1><p>Lorsque vous utilisez nos sites et applications, nous utilisons des cookies pour vous les fournir.</p><button>Tout refuser</button>"
    )
  },
  {
    wall: "consent",
    name: "Google's consent in Italian",
    asked: "https://www.google.com/maps/place/Roma",
    url: "https://consent.google.com/ml?continue=https://www.google.com/maps/place/Roma&gl=IT&hl=it",
    html: document(
      { lang: "it", title: "Prima di continuare su Google Maps" },
      "<h1>Prima di continuare su Google Maps</h1><p>Utilizziamo i cookie e i dati per fornire e gestire i servizi Google.</p><button>Rifiuta tutto</button>"
    )
  },
  {
    wall: "consent",
    name: "a Dutch publisher's gate",
    asked: "https://krant.example.nl/nieuws/trein",
    url: "https://myprivacy.publisher.example/consent?siteKey=abc&callbackUrl=https%3A%2F%2Fkrant.example.nl%2Fprivacy-gate%2Faccept",
    html: document(
      { lang: "nl", title: "Privacy Gate" },
      "<p>Wij en onze partners gebruiken cookies om je een betere ervaring te geven.</p><button>Akkoord</button><button>Instellen</button>"
    )
  }
]

/** What a site says in place of a page that it does not have, with its menu. */
const missing = (lang: string, title: string, heading: string, text: string, asked = article): WallPage => ({
  wall: "not-found",
  name: `a page that does not exist (${lang})`,
  asked,
  html: document(
    { lang, title },
    `<header>${menu("A", "B", "C", "D")}</header><main><h1>${heading}</h1><p>${text}</p></main><footer>© 2026</footer>`
  )
})

const notFound: ReadonlyArray<WallPage> = [
  missing(
    "en",
    "Page not found | Example",
    "Oops!",
    "The page you are looking for does not exist or has been moved."
  ),
  missing("en, with a number", "404 Not Found", "404", "Try the search."),
  missing("en, error", "Error 404: Page not found - Example", "Page not found", "Back to the front page"),
  missing(
    "de",
    "Seite nicht gefunden – Beispiel",
    "Seite nicht gefunden",
    "Die gesuchte Seite gibt es leider nicht mehr."
  ),
  missing("fr", "Page introuvable", "Oups", "La page que vous recherchez n'existe pas ou a été déplacée."),
  missing("es", "Página no encontrada | Ejemplo", "404", "La página que buscas ya no está aquí."),
  missing("pl", "Nie znaleziono strony", "404", "Strona, której szukasz, została usunięta."),
  missing("ru", "Страница не найдена", "Ошибка 404", "Возможно, страница удалена или перенесена."),
  missing(
    "ja",
    "ページが見つかりません",
    "404",
    "お探しのページは削除されたか、名前が変更された可能性があります。"
  ),
  missing("zh", "页面不存在", "404", "抱歉，您访问的页面不存在或已被删除。"),
  missing("ar", "الصفحة غير موجودة", "٤٠٤", "الصفحة التي تبحث عنها غير متوفرة."),
  {
    wall: "not-found",
    name: "a page that does not exist, under the site's name",
    asked: "https://www.instagram.com/p/gone/",
    html: document(
      { title: "Instagram" },
      "<h2>Sorry, this page isn't available.</h2><p>The link you followed may be broken, or the page may have been removed.</p>"
    )
  },
  {
    wall: "not-found",
    name: "a page that does not exist, after a redirect",
    asked: "https://gov.example.eu/forms/a38",
    url: "https://gov.example.eu/404.html",
    html: document(
      { title: "Gov", head: '<meta name="robots" content="noindex">' },
      "<h1>We can't find that page</h1><p>The page may have been removed.</p>"
    )
  },
  {
    wall: "not-found",
    name: "a page that was lost",
    asked: "https://app.example.com/x",
    html: document(
      { title: "Whoops! We lost this page" },
      "<h1>404</h1><p>The page you were looking for doesn't exist.</p>"
    )
  },
  {
    wall: "not-found",
    name: "a post that does not exist",
    asked: "https://micro.example/a/status/1",
    html: document(
      { title: "Micro" },
      "<p>Hmm...this page doesn’t exist. Try searching for something else.</p>"
    )
  }
]

const parked: ReadonlyArray<WallPage> = [
  {
    wall: "parked",
    name: "a domain for sale",
    asked: "https://build-times.example/how-we-cut",
    html: document(
      { title: "build-times.example is for sale" },
      "<h1>The domain build-times.example is for sale!</h1><p>Buy this domain. Get a price in less than 24 hours.</p>"
    )
  },
  {
    wall: "parked",
    name: "a parked domain in German",
    asked: "http://www.beispielseite.example/",
    html: `<!DOCTYPE html><html data-adblockkey="MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBANDrp2lz7AOmADaN8tA50LsWcjLFyQFcb_abc" lang="de"><head><title>beispielseite.example - Diese Website steht zum Verkauf! - Informationen zum Thema beispielseite.</title><meta name="description" content="Diese Website steht zum Verkauf! beispielseite.example ist die beste Quelle für alle Informationen die Sie suchen."></head><body><div id="container">Diese Website steht zum Verkauf!</div><script src="//www.sedoparking.com/frmpark/x/park.js"></script></body></html>`
  },
  {
    wall: "parked",
    name: "a parked domain filled by script",
    asked: "https://old-blog.example/2019/rye-bread",
    html: '<!doctype html><html data-adblockkey="MFwwDQYJKoZIhvcN"><head><title>old-blog.example</title></head><body><div id="target" style="opacity: 0"></div><script>window.park = "eyJ1dWlkIjoi";</script><script src="/bXkLpAvnf.js"></script></body></html>'
  },
  {
    wall: "parked",
    name: "a domain that redirects to a market",
    asked: "https://old-tool.example/docs",
    url: "https://www.hugedomains.com/domain_profile.cfm?d=old-tool.example",
    html: document(
      {
        title: "Old-Tool.example is for sale | HugeDomains",
        head: '<meta name="description" content="Safe and secure domain buying.">'
      },
      `${menu("Home", "About", "Contact")}<h1>Old-Tool.example</h1><p>This domain is for sale: $3,295</p>${paragraphs("Since 2005, we've helped thousands of people get the perfect domain name.", 2)}`
    )
  },
  {
    wall: "parked",
    name: "a registrar's lander",
    asked: "https://forgotten.example/",
    html: '<!DOCTYPE html><html><head><title></title></head><body><script>window.LANDER_SYSTEM="PW"</script><div id="root"></div><script src="https://img1.wsimg.com/parking-lander/static/js/main.js"></script></body></html>'
  },
  {
    wall: "parked",
    name: "a server's first page",
    asked: "https://new.example.org/blog/hello",
    html: "<html><head><title>Welcome to nginx!</title></head><body><h1>Welcome to nginx!</h1><p>If you see this page, the nginx web server is successfully installed and working. Further configuration is required.</p><p><em>Thank you for using nginx.</em></p></body></html>"
  },
  {
    wall: "parked",
    name: "a suspended account",
    asked: "https://club.example.net/2024/summer",
    html: document(
      { title: "Account Suspended" },
      "<h1>Account Suspended</h1><p>This Account has been suspended.</p><p>Contact your hosting provider for more information.</p>"
    )
  },
  {
    wall: "parked",
    name: "a domain for sale in Russian",
    asked: "https://domen.example/",
    html: document(
      { lang: "ru", title: "Домен продается" },
      "<h1>domen.example</h1><p>Этот домен продается. Свяжитесь с владельцем.</p>"
    )
  }
]

const shells: ReadonlyArray<WallPage> = [
  {
    wall: "shell",
    name: "Create React App",
    asked: "https://app.example.com/boards/12",
    html: document(
      {
        title: "React App",
        head: '<meta name="description" content="Web site created using create-react-app"><script defer src="/static/js/main.0a1b.js"></script>'
      },
      '<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>'
    )
  },
  {
    wall: "shell",
    name: "Vite's template",
    asked: "https://demo.example.com/",
    html: document(
      {
        title: "Vite + React + TS",
        head: '<script type="module" crossorigin src="/assets/index-abc.js"></script>'
      },
      '<div id="root"></div>'
    )
  },
  {
    wall: "shell",
    name: "a page that loads",
    asked: "https://deck.example.com/d/quarterly-plan",
    html: document(
      { title: "Loading…" },
      '<div id="app"><div class="spinner">Loading...</div></div><script src="/a.js"></script>'
    )
  },
  {
    wall: "shell",
    name: "Angular without a title",
    asked: "https://portal.example.gov/cases/9",
    html: document(
      { lang: "en" },
      '<app-root></app-root><script src="runtime.js"></script><script src="main.js"></script><noscript>Please enable JavaScript to continue using this application.</noscript>'
    )
  },
  {
    wall: "shell",
    name: "an application under the site's name",
    asked: "https://social.example/@ann/112233",
    html: document(
      { title: "Social" },
      '<div id="root"></div><noscript><p>JavaScript is not available. We’ve detected that JavaScript is disabled in this browser. Please enable JavaScript to continue.</p></noscript><script src="/main.js"></script>'
    )
  },
  {
    wall: "shell",
    name: "a redirect by script",
    asked: "https://old.example.com/story/5",
    html: document({ title: "Redirecting..." }, '<script>location.href="/new/5"</script>')
  },
  {
    wall: "shell",
    name: "a Portuguese application",
    asked: "https://painel.example.br/pedidos/5",
    html: document(
      { lang: "pt", title: "Carregando..." },
      '<div id="root"></div><noscript>Você precisa habilitar JavaScript para usar este aplicativo.</noscript><script src="/a.js"></script>'
    )
  },
  {
    wall: "shell",
    name: "a Japanese application",
    asked: "https://app.example.jp/n/55",
    html: document(
      { lang: "ja" },
      '<div id="__next"></div><noscript>JavaScriptを有効にしてください</noscript><script src="/a.js"></script>'
    )
  }
]

/** Pages that stand in front of others, made after the ones of many vendors, in many languages. */
export const wallPages: ReadonlyArray<WallPage> = [
  ...botWalls,
  ...logins,
  ...consents,
  ...notFound,
  ...parked,
  ...shells
]
