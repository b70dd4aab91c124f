// Bars that show the energies at the time of the cursor, on one scale.
const energyNames = ["energy.kinetic", "energy.potential", "energy.dissipated", "energy.driven"];
const energyBars = [];

function extremesOf(run, name) {
  const column = run.byName.get(name);
  let low = 0;
  let high = 0;
  for (const value of column ? numbers(column.values) : []) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}

// Potential energy is drawn relative to its value at the start, since its zero is arbitrary.
const energyOffset = (run, name) => (name === "energy.potential" ? columnAt(run, name, 0) : 0);

function energyScale(run, names) {
  const ends = names.flatMap((name) => extremesOf(run, name).map((value) => value - energyOffset(run, name)));
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  return high > low ? [low, high] : [0, 1];
}

function startEnergies(run) {
  const names = energyNames.filter((name) => run.byName.has(name) && extremesOf(run, name).some((value) => value !== 0));
  const [low, high] = energyScale(run, names);
  const share = (value) => (100 * (value - low)) / (high - low);
  energyBars.length = 0;
  byId("energy").replaceChildren();
  for (const name of names) {
    const bar = element("div", { class: "bar" });
    const zero = element("div", { class: "zero" });
    const value = element("span", { class: "value" });
    zero.style.left = `${share(0)}%`;
    byId("energy").append(element("span", {}, name.slice(7) + (name === "energy.potential" ? " (from start)" : "")),
      element("div", { class: "track" }, bar, zero), value);
    energyBars.push({ run, name, bar, value, share });
  }
}

function drawEnergies(t) {
  for (const { run, name, bar, value, share } of energyBars) {
    const energy = columnAt(run, name, t) - energyOffset(run, name);
    bar.style.left = `${Math.min(share(0), share(energy))}%`;
    bar.style.width = `${Math.abs(share(energy) - share(0))}%`;
    value.textContent = `${format(energy, 4)} J`;
  }
}
