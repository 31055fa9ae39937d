{% load static %}// Without a connection a visitor reads the offline page; nothing else is kept, and nothing is ever sent later.
const KEPT = "longbluff-{{ version }}";
const OFFLINE = "{% url "offline" %}";
const FILES = [OFFLINE, "{% static "games/look.css" %}", "{% static "games/icon.svg" %}"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => names.filter((name) => name !== KEPT));
  event.waitUntil(old.then((names) => Promise.all(names.map((name) => caches.delete(name)))));
});

self.addEventListener("fetch", (event) => {
  if (event.request.mode === "navigate" && event.request.method === "GET") {
    event.respondWith(fetch(event.request).catch(() => caches.match(OFFLINE)));
  } else if (FILES.includes(new URL(event.request.url).pathname)) {
    event.respondWith(fetch(event.request).catch(() => caches.match(event.request)));
  }
});
