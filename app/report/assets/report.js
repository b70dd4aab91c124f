// Starts the page when it has loaded.
function start() {
  const stage = document.querySelector(".stage");
  const moving = report.runs.filter((run) => run.scene);
  stage.classList.toggle("has-motion", moving.length > 0);
  stage.classList.toggle("has-plots", groups.size > 0);
  byId("motion").hidden = moving.length === 0;
  byId("plots").hidden = groups.size === 0;
  if (moving.length > 0) startMechanism(moving);
  startPlayer();
  setTime(0);
  requestAnimationFrame(() => setTimeout(startPlots)); // plots take longer than the picture, which is drawn and moves first
}

if (report.runs.length > 0) start(); // else the page has no animation
