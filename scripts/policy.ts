/** The content security policy of the page: sent as a header by our server, and written into the page by the build. */
export const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  // Only for sandbox.html.
  "frame-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "manifest-src 'self'",
  "connect-src 'self' https: http://localhost:* http://127.0.0.1:*",
  "form-action 'none'",
  "base-uri 'none'",
  "object-src 'none'",
].join('; ');

/** Of `sandbox.html`, behind which foreign programs run: nothing leaves for another host. */
export const sandboxPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
].join('; ');

/** With every file of our server. A page cannot say in its own text who may frame it; `sandbox.html` is framed by the page. */
export const serverHeaders = {
  'Content-Security-Policy': `${policy}; frame-ancestors 'self'`,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
} as const;
