// Stored settings: choices for all pages and runs in local storage, the state of this tab in session storage.

const DEFAULTS = {
  side: "white", level: 1500, full: false, clock: 0, engine: 0, setup: false, seconds: 0.3, ground: "brown", sound: true, minutes: 5, increment: 3, byoyomi: 0, days: 1, first: 0, second: 0, watchClock: 1,
};
const OF_TAB = ["flipped", "mode"];

const read = (store) => {
  try { return JSON.parse(store.getItem("settings")) ?? {}; } catch { return {}; }
};

// An object whose fields are kept when they are set.
function kept(store, defaults) {
  return new Proxy({ ...defaults, ...read(store) }, {
    set(target, name, value) {
      target[name] = value;
      store.setItem("settings", JSON.stringify(target));
      return true;
    },
  });
}

const wishes = kept(localStorage, DEFAULTS);
const tab = kept(sessionStorage, {});

export const settings = new Proxy({}, {
  get: (_, name) => (OF_TAB.includes(name) ? tab : wishes)[name],
  set(_, name, value) {
    (OF_TAB.includes(name) ? tab : wishes)[name] = value;
    return true;
  },
});
