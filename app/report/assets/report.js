// What the page does once it is there.
function start() {
  const stage = document.querySelector(".stage");
  const moving = report.runs.filter((run) => run.scene);
  stage.classList.toggle("has-motion", moving.length > 0);
  stage.classList.toggle("has-plots", groups.size > 0);
  byId("motion").hidden = moving.length === 0;
  byId("plots").hidden = groups.size === 0;
  if (moving.length > 0) startMechanism(moving);
  startPlots();
  startPlayer();
  setTime(0);
}

if (report.runs.length > 0) start();
else document.querySelector(".stage").hidden = true;
