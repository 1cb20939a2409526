// Swaps changed boards and counts the clocks down. The page works without it, by reload.
(function () {
  'use strict';
  var body = document.body;
  var size = body.dataset.size;
  var offset = 0; // hub's clock minus this browser's, milliseconds
  var heard = Date.now();

  function hubNow() { return Date.now() + offset; }

  function show(ms) {
    var s = Math.floor(Math.max(0, ms) / 1000);
    var two = function (n) { return (n < 10 ? '0' : '') + n; };
    return Math.floor(s / 3600) + ':' + two(Math.floor(s / 60) % 60) + ':' + two(s % 60);
  }

  function tick() {
    document.querySelectorAll('.clock.running[data-at]').forEach(function (c) {
      var passed = Math.max(0, hubNow() - Number(c.dataset.at));
      var guess = passed >= 1000;
      c.textContent = (guess ? '\u2248' : '') + show(Number(c.dataset.ms) - passed);
      if (guess) c.title = 'counted down since the last reading'; else c.removeAttribute('title');
    });
    var age = document.getElementById('age');
    var silent = Math.floor((Date.now() - heard) / 1000);
    if (age) {
      age.className = silent > 15 ? 'stale' : '';
      age.textContent = silent > 15 ? 'no news for ' + silent + ' s' : '';
    }
  }

  function swap(part) {
    var old = document.getElementById('table-' + part.table);
    if (!old || Number(old.dataset.revision) >= part.revision) return;
    var open = old.querySelector('details[open]');
    var holder = document.createElement(old.parentNode.tagName === 'UL' ? 'ul' : 'div');
    holder.innerHTML = part.html;
    var fresh = holder.firstElementChild;
    var details = open && fresh.querySelector('details');
    if (details) details.open = true;
    var focused = old.contains(document.activeElement);
    old.parentNode.replaceChild(fresh, old);
    if (focused) { var link = fresh.querySelector('a'); if (link) link.focus(); }
  }

  function listen() {
    var source = new EventSource('/live?part=' + size + (body.dataset.flip ? '&flip=1' : '') +
      (body.dataset.boards ? '&boards=' + body.dataset.boards : ''));
    source.addEventListener('part', function (e) { heard = Date.now(); swap(JSON.parse(e.data)); });
    source.addEventListener('gone', function (e) {
      heard = Date.now();
      var old = document.getElementById('table-' + e.data);
      if (old) old.parentNode.removeChild(old);
    });
    source.addEventListener('beat', function (e) { heard = Date.now(); offset = Number(e.data) - Date.now(); });
    source.addEventListener('round', function () { heard = Date.now(); location.reload(); });
  }

  function turnPages() {
    if (!(Number(body.dataset.turns) > 1)) return;
    setTimeout(function () {
      var to = new URL(location.href);
      to.searchParams.set('page', body.dataset.next);
      location.replace(to);
    }, 20000);
  }

  if (window.EventSource && size) listen();
  setInterval(tick, 250);
  tick();
  turnPages();
})();
