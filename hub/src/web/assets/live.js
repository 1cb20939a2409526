// Swaps changed boards and counts the clocks down. The page works without it, by reload.
(function () {
  'use strict';
  var body = document.body;
  var size = body.dataset.size;
  var all = body.hasAttribute('data-all');
  var samples = [Number(body.dataset.now) - Date.now()]; // hub's clock minus this browser's, milliseconds
  var heard = Date.now();
  var lost = 0; // since when there is no connection
  var seen = null; // tables of which the stream has told since it began
  var asking = {}; // what is asked for anew soon

  // The answer that was quickest on its way says it best.
  function hubNow() { return Date.now() + Math.max.apply(null, samples); }

  function measure(sample) {
    if (Math.abs(sample - samples[samples.length - 1]) > 5000) samples = [];
    samples.push(sample);
    if (samples.length > 12) samples.shift();
  }

  function two(n) { return (n < 10 ? '0' : '') + n; }

  function show(ms) {
    var s = Math.floor(Math.max(0, ms) / 1000);
    return Math.floor(s / 3600) + ':' + two(Math.floor(s / 60) % 60) + ':' + two(s % 60);
  }

  function timeOfDay(ms) {
    var d = new Date(ms);
    return two(d.getHours()) + ':' + two(d.getMinutes()) + ':' + two(d.getSeconds());
  }

  function say(id, words) {
    var place = document.getElementById(id);
    if (place && place.textContent !== words) place.textContent = words;
    return place;
  }

  function count(clock) {
    var passed = Math.max(0, hubNow() - Number(clock.dataset.at));
    var guess = passed >= 1000;
    clock.textContent = (guess ? '\u2248' : '') + show(Number(clock.dataset.ms) - passed);
    if (guess) clock.title = 'counted down since the last reading'; else clock.removeAttribute('title');
  }

  function tick() {
    document.querySelectorAll('.clock.running[data-at]').forEach(count);
    say('asof', timeOfDay(heard + hubNow() - Date.now()));
    if (!size && !body.dataset.again) return;
    var silent = Date.now() - (lost || heard) > (lost ? 3000 : 15000);
    var age = say('age', silent ? 'no connection since ' + timeOfDay(heard) + ', trying again' : '');
    if (age) age.className = silent ? 'stale' : '';
  }

  // Asks for a page of ours and puts its element of this name in place of the one that is shown.
  function again(name, address) {
    fetch(address).then(function (answer) { return answer.ok ? answer.text() : ''; }).then(function (text) {
      var fresh = new DOMParser().parseFromString(text, 'text/html').getElementById(name);
      var old = document.getElementById(name);
      if (fresh && old) { heard = Date.now(); old.parentNode.replaceChild(fresh, old); tick(); }
    }).catch(function () {}); // it is asked for again, and the page says for how long it heard nothing
  }

  // Once for several changes, and not everybody at the same moment.
  function soon(name, what) {
    if (asking[name]) return;
    asking[name] = setTimeout(function () { asking[name] = 0; what(); }, 500 + Math.random() * 2000);
  }

  function reload() { soon('page', function () { location.reload(); }); }

  function result(card) { var r = card.querySelector('.result'); return r ? r.textContent : ''; }

  function swap(part) {
    if (part.round !== Number(body.dataset.round)) { reload(); return; }
    if (seen) seen[part.table] = true;
    var old = document.getElementById('table-' + part.table);
    if (!old) { if (all) reload(); return; }
    if (Number(old.dataset.revision) >= part.revision) return;
    var holder = document.createElement(old.parentNode.tagName === 'UL' ? 'ul' : 'div');
    holder.innerHTML = part.html;
    var fresh = holder.firstElementChild;
    var details = old.querySelector('details[open]') && fresh.querySelector('details');
    if (details) details.open = true;
    var focused = old.contains(document.activeElement) && document.activeElement.tagName;
    old.parentNode.replaceChild(fresh, old);
    if (focused) { var same = fresh.querySelector(focused); if (same) same.focus(); }
    if (size === 'large') say('said', fresh.querySelector('.board').getAttribute('aria-label'));
    var teams = document.getElementById('teams');
    if (teams && result(fresh) !== result(old)) soon('teams', function () { again('teams', teams.dataset.from); });
    tick();
  }

  function gone(table) {
    var old = document.getElementById('table-' + table);
    if (old) old.parentNode.removeChild(old);
  }

  // The stream begins with every board: what it has not named by its first beat is no more.
  function forget() {
    if (!seen) return;
    document.querySelectorAll('[id^="table-"]').forEach(function (card) {
      if (!seen[card.id.slice(6)]) card.parentNode.removeChild(card);
    });
    seen = null;
  }

  function listen() {
    var wanted = all && !/^overlay/.test(body.className) ? '' : body.dataset.boards;
    var source = new EventSource('/live?part=' + size + (body.dataset.flip ? '&flip=1' : '') +
      (wanted ? '&boards=' + encodeURIComponent(wanted) : ''));
    source.onopen = function () { lost = 0; seen = {}; };
    source.onerror = function () {
      lost = lost || Date.now();
      // Refused, not cut: the browser does not try again by itself.
      if (source.readyState === 2) setTimeout(listen, 3000 + Math.random() * 4000);
    };
    var on = function (name, what) {
      source.addEventListener(name, function (e) { heard = Date.now(); what(e.data); });
    };
    on('part', function (data) { swap(JSON.parse(data)); });
    on('gone', gone);
    on('beat', function (data) { measure(Number(data) - Date.now()); forget(); });
    on('round', reload);
  }

  function turnPages() {
    if (!(Number(body.dataset.turns) > 1)) return;
    setInterval(function () {
      // Without a connection the boards stay: a page of the browser's own would not come back by itself.
      fetch('/assets/live.js', { cache: 'no-store' }).then(function () {
        var to = new URL(location.href);
        to.searchParams.set('page', body.dataset.next);
        location.replace(to);
      }, function () { lost = lost || Date.now(); });
    }, 20000);
  }

  if (window.EventSource && size && !body.dataset.again) listen();
  if (body.dataset.again) setInterval(function () { again('whole', location.href); }, 1000 * Number(body.dataset.again));
  setInterval(tick, 250);
  tick();
  turnPages();
})();
